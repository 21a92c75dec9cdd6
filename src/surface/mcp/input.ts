import { setTimeout as pause } from 'node:timers/promises';
import { RpcError, rpc } from '../../kernel/exchange.ts';
import type { JsonObject } from '../../base/json-object.ts';
import type { Wire } from '../../kernel/relay.ts';

const capabilityFor: Readonly<Record<string, string>> = {
  'elicitation/create': 'elicitation',
  'sampling/createMessage': 'sampling',
  'roots/list': 'roots',
};
const maxRounds = 8;
/** The pause before a call is repeated that asks for no input: it must not become a tight loop. */
const pauseMs = 200;

interface InputQuestion {
  readonly method: string;
  readonly params?: JsonObject;
}

/** Handles answers that need input: a 2026-era client calls again with it, a 2025-era client is asked for it. */
export async function withInput(
  params: JsonObject,
  wire: Wire,
  answer: (params: JsonObject) => Promise<JsonObject | undefined>,
): Promise<JsonObject | undefined> {
  let given = params;
  for (let round = 0; round < maxRounds; round++) {
    const result = await answer(given);
    if (result?.['resultType'] !== 'input_required') return result;
    const questions = Object.entries((result['inputRequests'] ?? {}) as Readonly<Record<string, InputQuestion>>);
    for (const [, question] of questions) demandCapability(question.method, wire);
    if (wire.era === 'modern') return result;
    if (questions.length === 0) await pause(pauseMs, undefined, { signal: wire.signal });
    const responses = await Promise.all(
      questions.map(async ([key, question]) => [key, await wire.request(question.method, question.params ?? {})]),
    );
    const state = result['requestState'];
    given = {
      ...params,
      inputResponses: Object.fromEntries(responses) as JsonObject,
      ...(typeof state === 'string' && { requestState: state }),
    };
  }
  throw new RpcError(rpc.internal, `The answer still asks for input after ${maxRounds} rounds`);
}

function demandCapability(method: string, wire: Wire): void {
  const capability = capabilityFor[method];
  if (capability === undefined || wire.capabilities[capability] !== undefined) return;
  const message = `This needs ${method}, which the client does not support`;
  throw wire.era === 'modern'
    ? new RpcError(rpc.missingCapability, message, { requiredCapabilities: { [capability]: {} } })
    : new RpcError(rpc.invalidRequest, message);
}
