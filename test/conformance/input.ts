import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { RpcError, rpc } from '../../src/kernel/exchange.ts';
import type { JsonObject } from '../../src/base/json-object.ts';

export function elicitation(message: string, properties: JsonObject, required = Object.keys(properties)): JsonObject {
  return {
    method: 'elicitation/create',
    params: { message, requestedSchema: { type: 'object', properties, required } },
  };
}

export function sampling(prompt: string, maxTokens = 100): JsonObject {
  const messages = [{ role: 'user', content: { type: 'text', text: prompt } }];
  return { method: 'sampling/createMessage', params: { messages, maxTokens } };
}

export const roots: JsonObject = { method: 'roots/list', params: {} };

/** The client's responses if all questions have one, else the answer that asks them. */
export function ask(
  params: JsonObject,
  questions: Readonly<Record<string, JsonObject>>,
  state?: string,
): { readonly given: Readonly<Record<string, JsonObject>> } | { readonly asking: JsonObject } {
  const given = (params['inputResponses'] ?? {}) as Readonly<Record<string, JsonObject>>;
  if (Object.keys(questions).every((key) => given[key] !== undefined)) return { given };
  const asking = {
    resultType: 'input_required',
    inputRequests: questions,
    ...(state !== undefined && { requestState: seal(state) }),
  };
  return { asking };
}

const key = randomBytes(32);

/** State travels through the client, so it is signed. */
function seal(state: string): string {
  return `${state}.${createHmac('sha256', key).update(state).digest('hex')}`;
}

export function unseal(params: JsonObject): string | undefined {
  const sealed = params['requestState'];
  if (typeof sealed !== 'string') return undefined;
  const state = sealed.split('.')[0] ?? '';
  const expected = Buffer.from(seal(state));
  const actual = Buffer.from(sealed);
  if (expected.length === actual.length && timingSafeEqual(expected, actual)) return state;
  throw new RpcError(rpc.invalidParams, 'The requestState is not the one that this server gave');
}
