import type { Context } from '../../kernel/context.ts';
import type { FieldError } from '../../kernel/problem.ts';
import { Problem } from '../../kernel/problem.ts';
import { phrase } from '../phrase.ts';
import { problem } from '../problem.ts';

const maxBytes = 100 * 1024;
/** Databases and clients give up at depths of their own. */
const maxDepth = 100;

/** What comes from outside into a run's context is small; the rest belongs into artifacts. */
export function checkSize(context: Context, path: string, value: unknown): void {
  if (isDeeper(value, maxDepth))
    throw invalid([{ path, message: context.say(phrase.payloadTooDeep({ limit: maxDepth })) }]);
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > maxBytes)
    throw invalid([{ path, message: context.say(phrase.payloadTooLarge({ bytes, limit: maxBytes })) }]);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

export function invalid(errors: readonly FieldError[]): Problem {
  return problem.INVALID_PAYLOAD({ errors }, { validation_errors: errors });
}
