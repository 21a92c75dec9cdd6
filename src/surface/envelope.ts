import type { Operation } from '../kernel/operation.ts';
import type { Problem } from '../kernel/problem.ts';
import type { Lang } from '../kernel/text/text.ts';
import type { Toolset } from '../kernel/toolset.ts';

/** The JSON shape of a failure. It differs by toolset; the contract defines codes and shapes. */
type Shape = (code: string, message: string, details: Readonly<Record<string, unknown>> | undefined) => unknown;

const nested: Shape = (code, message, details) => ({
  success: false,
  error: { code, message, ...(details !== undefined && { details }) },
});
const sentence: Shape = (code, message, details) => ({
  success: false,
  error: message,
  code,
  ...(details !== undefined && { details }),
});

const shapes: Readonly<Record<Toolset, Shape>> = {
  gate: nested,
  upstream: (_code, message) => message,
  fleet: (code, message, details) => ({ error: true, code, message, ...(details !== undefined && { details }) }),
  work: sentence,
  admin: sentence,
  phase: (code, message, details) => ({ error: { code, message, ...(details !== undefined && { details }) } }),
};

export interface Failure {
  readonly code: string;
  readonly message: string;
  /** The failure in the shape of its toolset; a string is plain text. */
  readonly body: unknown;
}

export function failureEnvelope(lang: Lang, operation: Pick<Operation, 'toolsets'>, problem: Problem): Failure {
  const [toolset] = operation.toolsets;
  const code = problem.code === 'VALIDATION_ERROR' && toolset === 'gate' ? 'INVALID_PAYLOAD' : problem.code;
  const message = problem.in(lang);
  return { code, message, body: shapes[toolset](code, message, problem.details) };
}
