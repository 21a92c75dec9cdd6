import * as z from 'zod';
import type { Confine } from '../sandbox/port.ts';
import type { Say, Sentence } from '../kernel/text/text.ts';
import type { CountedApproval, Definition, GuardReference, GuardSpec } from './definition/definition.ts';
import type { TreeChanges } from './worktree/manifest.ts';

/** A file that was submitted as evidence. */
export interface Artifact {
  readonly path: string;
  readonly version: number;
  readonly type: string | undefined;
  readonly digest: string;
  readonly size: number;
}

/** A record that a client's hook has asked about a tool. */
export interface Receipt {
  readonly client: string;
  readonly session: string | undefined;
}

export interface Approval {
  readonly event: string;
  readonly actor: string;
  readonly role: string;
}

/** The evidence that guards look at. The payload is merged into the context, and the artifacts include the new ones. */
export interface Evidence {
  readonly context: Readonly<Record<string, unknown>>;
  readonly artifacts: readonly Artifact[];
  /** Valid approvals: given since the state was entered and since the last artifact was submitted. */
  readonly approvals: readonly Approval[];
  /** Actors that submitted the artifacts. They cannot approve. */
  readonly submitters: ReadonlySet<string>;
}

/** Access to files, programs and the store, for guards that need them. */
export interface GuardAccess {
  readonly evidence: Evidence;
  readonly definition: Definition;
  /** True while an event is decided: guards run their programs. Otherwise they only report known facts. */
  readonly deciding: boolean;
  readonly say: Say;
  readonly signal: AbortSignal;
  readonly tree: string;
  /** Starts a program in a sandbox if one is required. */
  readonly confine: Confine;
  /** The environment for programs: our own without our secrets. */
  env(): Readonly<Record<string, string>>;
  readonly testCommand: readonly string[] | undefined;
  /** Reads a file; undefined if it does not exist or cannot be evidence. */
  file(path: string): Promise<Artifact | undefined>;
  /** Reads the content with that digest; undefined if it is too large or gone. */
  bytes(artifact: Artifact): Promise<Buffer | undefined>;
  /** Stores content with the decision and returns its digest, for the verdict's note. */
  keep(bytes: Buffer): string;
  /** Changes in the work tree since the state was entered. They are read once per decision. */
  changes(): Promise<TreeChanges>;
  /** The difference of the work tree since the run began, as a file; undefined if no one is about to approve it. */
  difference(): Promise<Artifact | { readonly fault: string } | undefined>;
  /** Receipts of hooks in this state, newest first. */
  receipts(): Promise<readonly Receipt[]>;
  /** The calling client, as far as it identifies itself. */
  readonly caller: { readonly client: string | undefined; readonly session: string | undefined };
  trusted(): Promise<boolean>;
  evaluate(reference: GuardReference): Promise<Verdict>;
  /** Tells whether the guard or one of its parts runs a program. */
  isExpensive(reference: GuardReference): boolean;
  validate(schema: object, value: unknown): Promise<readonly string[]>;
}

export interface Verdict {
  readonly satisfied: boolean;
  /** The reason why it is not satisfied, in the caller's language; otherwise empty. */
  readonly reason: string;
  /** The guard could not be decided. `not` must not turn this into satisfied. */
  readonly undetermined?: true;
  /** Files that this guard found itself; they become evidence. */
  readonly seen?: readonly Artifact[];
  /** Digests of the content that is stored for this verdict. */
  readonly kept?: readonly string[];
  /** Details for the journal entry of the decision. */
  readonly note?: Readonly<Record<string, unknown>>;
}

export const satisfied: Verdict = { satisfied: true, reason: '' };

export function failGuard({ say }: Pick<GuardAccess, 'say'>, reason: Sentence): Verdict {
  return { satisfied: false, reason: say(reason) };
}

export function leaveUndecided({ say }: Pick<GuardAccess, 'say'>, reason: Sentence): Verdict {
  return { satisfied: false, undetermined: true, reason: say(reason) };
}

/** A type of guard: one file in `guard/`, one line in `guards.ts`. */
export interface Guard<P = GuardSpec> {
  readonly type: string;
  readonly parameters: z.ZodType<P>;
  /** Guards that this one consists of. Like all methods here, it gets the spec as parsed by `parameters`. */
  children?(spec: P): readonly GuardReference[];
  variables?(spec: P): readonly string[];
  artifactTypes?(spec: P): readonly string[];
  /** Project files that it looks at by exact path. They can change at any time, without an event. */
  paths?(spec: P): readonly string[];
  /** Approvals that it counts. These events are kept as evidence, and the process must declare them. */
  counts?(spec: P): readonly CountedApproval[];
  /** Programs that it runs, as shown to a person. They run only if a person has trusted the definition's file. */
  programs?(spec: P): readonly string[];
  /** True if it compares the work tree. The tree is recorded when a run enters a state that this guard leads out of. */
  readonly looksAtTree?: boolean;
  /** Tells whether it can be evaluated only on the machine that has the run's files. */
  needsFiles?(spec: P): boolean;
  /** Tells whether its approvals cover the difference of the work tree since the run began, which people are shown. */
  showsDifference?(spec: P): boolean;
  /** Expensive guards (a program) are evaluated last, and only if all others are satisfied. */
  readonly expensive?: boolean;
  check(spec: P, look: GuardAccess): Verdict | Promise<Verdict>;
}

/** The schema of a guard's name or of an inline guard. Each guard type checks its own parameters. */
export const guardReference: z.ZodType<GuardReference> = z.union([
  z.string().min(1),
  z.looseObject({ type: z.string() }),
]);

/** The schema of a guard's parameters, with the two fields that every guard has. */
export function guardParameters<T extends string, S extends z.ZodRawShape>(type: T, fields: S) {
  return z.strictObject({ type: z.literal(type), description: z.string().optional(), ...fields });
}

export function defineGuard<P>(guard: Guard<P>): Guard {
  return guard as unknown as Guard;
}
