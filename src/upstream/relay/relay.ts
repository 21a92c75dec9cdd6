import type { Plain } from '../../kernel/plain.ts';
import type { Relay, Wire } from '../../kernel/relay.ts';
import { UpstreamError } from '../wire/message.ts';
import { forwardedMeta } from '../wire/param-headers.ts';
import { progressTo, withoutEra } from './forward.ts';
import type { Open, RelayedOffers } from './offers.ts';
import { createOffers } from './offers.ts';
import type { RelayParts } from './parts.ts';
import { createTools } from './tools.ts';

type Answer = (params: Plain, wire: Wire) => Promise<Plain | undefined>;

/** Tools, resources and prompts of the upstreams, as the surface asks for them. */
export function createRelay(parts: RelayParts): Omit<Relay, 'watch'> {
  const tools = createTools(parts);
  const offers = createOffers(parts);
  const answers: Readonly<Record<string, Answer>> = {
    'tools/call': (params, wire) => tools.call(params, wire),
    'resources/read': (params, wire) => readResource(offers, params, wire),
    'completion/complete': (params, wire) => complete(offers, params, wire),
    'prompts/get': async (params, wire) => {
      const prompt = await offers.prompt(params['name'], wire);
      return prompt && ask(prompt.open, 'prompts/get', { ...params, name: prompt.name }, wire);
    },
    'resources/subscribe': (params, wire) => subscribe(offers, params, wire, true),
    'resources/unsubscribe': (params, wire) => subscribe(offers, params, wire, false),
    'logging/setLevel': async (params) => {
      await Promise.all(parts.upstreams.map((one) => one.setLogLevel(String(params['level']))));
      return undefined;
    },
  };
  return {
    list: (kind, caller) => (kind === 'tools' ? tools.list(caller) : offers.list(kind, caller)),
    answer: async (method, params, wire) => answers[method]?.(params, wire),
  };
}

/** A request that is no tool call: sent once, on a live connection. */
function ask({ upstream, connection }: Open, method: string, params: Plain, wire: Wire): Promise<Plain> {
  const resumed = upstream.calls.resume(wire, params);
  if (resumed !== undefined) return resumed;
  return upstream.calls.run(wire, async (running) => {
    const { _meta: given, ...rest } = params;
    const meta = forwardedMeta(given as Plain | undefined);
    const report = progressTo(running);
    const { result } = await connection.peer.request(
      method,
      { ...rest, ...(meta !== undefined && { _meta: meta }) },
      { signal: running.signal, ...report.options },
    );
    await report.delivered();
    return withoutEra(result);
  });
}

/** The first refusal is the one to report: it comes from the likeliest owner. */
async function readResource(offers: RelayedOffers, params: Plain, wire: Wire): Promise<Plain | undefined> {
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

async function complete(offers: RelayedOffers, params: Plain, wire: Wire): Promise<Plain | undefined> {
  const reference = (params['ref'] ?? {}) as Plain;
  if (reference['type'] === 'ref/prompt') {
    const prompt = await offers.prompt(reference['name'], wire);
    const named = { ...params, ref: { ...reference, name: prompt?.name } };
    return prompt && ask(prompt.open, 'completion/complete', named, wire);
  }
  const owner = await offers.template(reference['uri'], wire);
  return owner && ask(owner, 'completion/complete', params, wire);
}

async function subscribe(offers: RelayedOffers, params: Plain, wire: Wire, on: boolean): Promise<undefined> {
  const [owner] = await offers.owners(String(params['uri']), wire);
  await owner?.upstream.subscribe(String(params['uri']), on);
}
