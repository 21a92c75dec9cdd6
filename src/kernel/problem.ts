export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** Why an actor may not do this. Modules add their own reasons by declaration merging. */
export interface Refusals {
  /** A connection that an agent CLI started says it is a person. */
  claim: { role: string; evidence: string };
  /** The token that this process was started with is unknown or has expired. */
  token: Record<never, never>;
  /** Only a person's connection has this toolset. */
  toolset: { role: string; toolset: string };
}

export type Refusal = { [K in keyof Refusals]: { readonly kind: K } & Refusals[K] }[keyof Refusals];

/**
 * Every code a caller can meet, with what its text needs. Each module adds its own by declaration merging;
 * the texts (`surface/text/*`) must cover all of them or the build fails.
 */
export interface Problems {
  INTERNAL_ERROR: { reference: string };
  FORBIDDEN: Refusal;
  VALIDATION_ERROR: { errors: readonly FieldError[] };
  UNKNOWN_COMMAND: { command: string; suggestion: string | undefined };
  BAD_CONFIGURATION: { file: string; reason: string };
  PORT_TAKEN: { host: string; port: number };
  STORE_UNAVAILABLE: { location: string; reason: string };
}

/** Sentences that are part of an answer rather than a failure. Modules add theirs the same way. */
export interface Phrases {
  'input.invalid': { issues: string };
}

export type Code = keyof Problems;

/** A failure that the caller can act on. Anything else that is thrown is a bug. */
export class Problem<C extends Code = Code> extends Error {
  readonly code: C;
  readonly params: Problems[C];
  /** What the envelope carries as `details`. */
  readonly details: Readonly<Record<string, unknown>> | undefined;

  constructor(code: C, params: Problems[C], details?: Readonly<Record<string, unknown>>) {
    super(code);
    this.name = 'Problem';
    this.code = code;
    this.params = params;
    this.details = details;
  }
}

export function isProblem(error: unknown): error is Problem {
  return error instanceof Problem;
}
