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

/** A failure over MCP: in the shape of its toolset; a string is plain text. */
export function failureEnvelope(lang: Lang, operation: Pick<Operation, 'toolsets'>, problem: Problem): unknown {
  const { code, message, details } = failureBody(lang, problem, operation);
  return shapes[operation.toolsets[0]](code, message, details);
}

/** A failure of the HTTP API and of the command line: one shape for all toolsets. */
export interface FailureBody {
  readonly code: string;
  readonly message: string;
  readonly details?: Readonly<Record<string, unknown>>;
}

export function failureBody(lang: Lang, problem: Problem, operation?: Pick<Operation, 'toolsets'>): FailureBody {
  const isGate = operation?.toolsets[0] === 'gate';
  const code = problem.code === 'VALIDATION_ERROR' && isGate ? 'INVALID_PAYLOAD' : problem.code;
  const { details } = problem;
  return { code, message: problem.in(lang), ...(details !== undefined && { details }) };
}
