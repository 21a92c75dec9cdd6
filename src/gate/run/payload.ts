import type { Context } from '../../kernel/context.ts';
import { type FieldError, Problem } from '../../kernel/problem.ts';
import type { Say } from '../../kernel/text/text.ts';
import type { Definition, Event } from '../definition/definition.ts';
import { validateJson } from '../definition/json-schema.ts';
import { type MergedContext, mergeContext } from './machine.ts';
import { phrase } from '../phrase.ts';
import { problem } from '../problem.ts';

const maxBytes = 100 * 1024;
/** Nesting limit: databases and clients have limits of their own. */
const maxDepth = 100;

/** Limits the size of values that enter a run's context; larger data belongs in artifacts. */
export function checkSize(context: Pick<Context, 'say'>, path: string, value: unknown): void {
  if (isDeeper(value, maxDepth))
    throw payloadProblem([{ path, message: context.say(phrase.payloadTooDeep({ limit: maxDepth })) }]);
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes > maxBytes)
    throw payloadProblem([{ path, message: context.say(phrase.payloadTooLarge({ bytes, limit: maxBytes })) }]);
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((one) => isDeeper(one, levels - 1));
}

/** Merges the payload into the context and lists everything that the definition's schemas refuse. */
export function mergePayload(
  definition: Definition,
  event: Event,
  context: Readonly<Record<string, unknown>>,
  payload: Readonly<Record<string, unknown>>,
  say: Say,
): MergedContext & { readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  const under = (prefix: string, found: readonly FieldError[]) =>
    errors.push(...found.map((one) => ({ path: one.path === '/' ? prefix : prefix + one.path, message: one.message })));
  if (event.payload_schema !== undefined) under('/payload', validateJson(event.payload_schema, payload, say));
  const merged = mergeContext(definition, event, context, payload);
  if (errors.length === 0 && definition.context_schema !== undefined && merged.context !== context)
    under('/context', validateJson(definition.context_schema, merged.context, say));
  return { ...merged, errors };
}

export function payloadProblem(errors: readonly FieldError[]): Problem {
  return problem.INVALID_PAYLOAD({ errors }, { validation_errors: errors });
}
