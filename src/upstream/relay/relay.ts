import type { JsonObject } from '../../base/json-object.ts';
import type { Relay, Wire } from '../../kernel/relay.ts';
import { UpstreamError } from '../wire/message.ts';
import { ask } from './ask.ts';
import { type RelayedOffers, createOffers } from './offers.ts';
import type { RelayParts } from './parts.ts';
import { taskAnswers } from './tasks.ts';
import { createTools } from './tools.ts';

type RelayAnswer = (params: JsonObject, wire: Wire) => Promise<JsonObject | undefined>;

/** Creates the relay for the surface: tools, resources and prompts of the upstreams. */
export function createRelay(parts: RelayParts): Omit<Relay, 'watch'> {
  const tools = createTools(parts);
  const offers = createOffers(parts);
  const answers: Readonly<Record<string, RelayAnswer>> = {
    'tools/call': (params, wire) => tools.call(params, wire),
    'resources/read': (params, wire) => readResource(offers, params, wire),
    'completion/complete': (params, wire) => complete(offers, params, wire),
    'prompts/get': async (params, wire) => {
      const prompt = await offers.prompt(params['name'], wire);
      return prompt && ask(prompt.open, 'prompts/get', { ...params, name: prompt.name }, wire);
    },
    'resources/subscribe': (params, wire) => subscribe(offers, params, wire, true),
    'resources/unsubscribe': (params, wire) => subscribe(offers, params, wire, false),
    'logging/setLevel': async (params, wire) => {
      await Promise.all(parts.upstreams.map((one) => one.getConnection(wire).setLogLevel(String(params['level']))));
      return undefined;
    },
    ...taskAnswers(offers),
  };
  return {
    list: (kind, caller) => (kind === 'tools' ? tools.list(caller) : offers.list(kind, caller)),
    answer: (method, params, wire) => answers[method]?.(params, wire) ?? nothing,
    heard(connection, method, params) {
      for (const one of parts.upstreams) one.findConnection(connection)?.notifyUpstream(method, params);
    },
    left(connection) {
      for (const one of parts.upstreams) one.leave(connection);
    },
  };
}

/** The answer for requests that belong to no upstream. */
const nothing = Promise.resolve(undefined);

/**
 * Reads a resource from the first owner that has it. If all refuse, the first refusal is reported: it comes from the
 * likeliest owner.
 */
async function readResource(offers: RelayedOffers, params: JsonObject, wire: Wire): Promise<JsonObject | undefined> {
  let refused: UpstreamError | undefined;
  for (const open of await offers.owners(String(params['uri']), wire)) {
    try {
      return await ask(open, 'resources/read', params, wire);
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      refused ??= error;
    }
  }
  if (refused !== undefined) throw refused;
  return undefined;
}

async function complete(offers: RelayedOffers, params: JsonObject, wire: Wire): Promise<JsonObject | undefined> {
  const reference = (params['ref'] ?? {}) as JsonObject;
  if (reference['type'] === 'ref/prompt') {
    const prompt = await offers.prompt(reference['name'], wire);
    const named = { ...params, ref: { ...reference, name: prompt?.name } };
    return prompt && ask(prompt.open, 'completion/complete', named, wire);
  }
  const owner = await offers.template(reference['uri'], wire);
  return owner && ask(owner, 'completion/complete', params, wire);
}

async function subscribe(offers: RelayedOffers, params: JsonObject, wire: Wire, on: boolean): Promise<undefined> {
  const [owner] = await offers.owners(String(params['uri']), wire);
  await owner?.clientConnection.subscribe(String(params['uri']), on);
}
