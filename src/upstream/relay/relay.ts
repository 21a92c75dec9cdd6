import type { Plain } from '../../kernel/plain.ts';
import type { Caller, ListKind, Relay, Wire } from '../../kernel/relay.ts';
import { uriTemplate } from '../../kernel/template.ts';
import type { Connection } from '../wire/connection.ts';
import type { Forwarding, ToolCall } from './forward.ts';
import { forwardTool, progressTo, withoutEra } from './forward.ts';
import { forwardedMeta } from '../wire/param-headers.ts';
import { fold } from '../../kernel/tool-name.ts';
import type { Naming } from './naming.ts';
import { withoutForeignOutput } from '../link/tool.ts';
import type { OfferKind, Upstream } from '../link/upstream.ts';
import { UpstreamError } from '../wire/message.ts';
import { phrase } from '../problem.ts';

export interface RelayParts extends Forwarding {
  readonly upstreams: readonly Upstream[];
  readonly naming: Naming;
  /** Resolves when what is known from earlier is in place. */
  readonly loaded: () => Promise<void>;
  readonly version: () => number;
}

/** An upstream that a caller may use, with its live connection. */
interface Open {
  readonly upstream: Upstream;
  readonly connection: Connection;
}

type Target = Pick<ToolCall, 'upstream' | 'name' | 'tool'>;

/** Tools, resources and prompts of the upstreams, as the surface asks for them. */
export function createRelay(parts: RelayParts): Omit<Relay, 'watch'> {
  const { upstreams, naming } = parts;
  const shown = new Map<Caller['era'], { version: number; tools: readonly Plain[] }>();
  let index = { version: -1, tools: new Map<string, Target>() };

  const listTools = async (caller: Caller): Promise<readonly Plain[]> => {
    await parts.loaded();
    const unknown = upstreams.filter((one) => one.known === undefined);
    await Promise.all(unknown.map((one) => one.glance(caller)));
    const version = parts.version();
    const held = shown.get(caller.era);
    if (held?.version === version && unknown.length === 0) return held.tools;
    const tools = upstreams.flatMap((upstream) => toolsOf(upstream, caller));
    shown.set(caller.era, { version, tools });
    return tools;
  };

  const toolsOf = (upstream: Upstream, { era, context }: Caller): readonly Plain[] => {
    if (upstream.known === undefined) upstream.missing.add('tools');
    const tools =
      upstream.known === undefined
        ? (upstream.settings.tools ?? []).map((name) => ({
            name,
            description: context.say(phrase.bare({ upstream: upstream.name })),
            inputSchema: { type: 'object' },
          }))
        : upstream.tools;
    return tools.map((tool) => ({
      ...(era === 'legacy' ? withoutForeignOutput(tool) : tool),
      name: naming.shown(upstream.name, String(tool['name'])),
    }));
  };

  /** The upstreams that this caller may use now: the open ones, and transparent ones after a moment. */
  const openFor = async (caller: Caller, list?: 'resources' | 'prompts'): Promise<readonly Open[]> => {
    const open = await Promise.all(
      upstreams.map(async (upstream) => {
        const { gated } = upstream.settings;
        const locked = gated && !(await parts.activations.has(caller, upstream.name));
        const connection = locked ? undefined : gated ? upstream.link.connection : await upstream.glance(caller);
        if (connection !== undefined) return [{ upstream, connection }];
        if (list !== undefined) upstream.missing.add(list);
        return [];
      }),
    );
    return open.flat();
  };

  const listOffers = async (kind: OfferKind, caller: Caller): Promise<readonly Plain[]> => {
    const lists = await Promise.all(
      (await openFor(caller, kind === 'prompts' ? 'prompts' : 'resources')).map(async ({ upstream, connection }) => {
        const all = await upstream.offered(kind, connection);
        if (kind !== 'prompts') return all;
        return all.map((one) => ({ ...one, name: naming.shown(upstream.name, String(one['name'])) }));
      }),
    );
    return lists.flat();
  };

  /** Which tool a name means; the upstream is known even where its tools are not. */
  const findTool = (name: string): Target | undefined => {
    const version = parts.version();
    if (index.version !== version) index = { version, tools: indexOf(upstreams, naming) };
    const known = index.tools.get(name);
    if (known !== undefined) return known;
    const guess = naming
      .candidates(name)
      .map((one) => ({
        name: one.name,
        tool: undefined,
        upstream: upstreams.find(({ name: own }) => own === one.upstream),
      }))
      .find((one) => one.upstream?.known === undefined && one.upstream?.allows(one.name) === true);
    return guess?.upstream === undefined ? undefined : { ...guess, upstream: guess.upstream };
  };

  const callTool = async (params: Plain, wire: Wire): Promise<Plain | undefined> => {
    await parts.loaded();
    const name = String(params['name']);
    let found = findTool(name);
    // A transparent upstream that is not connected may have more by now than it had, or be wholly unknown.
    if (found?.tool === undefined) {
      const closed = upstreams.filter((one) => !one.settings.gated && one.link.connection === undefined);
      await Promise.all(closed.map((one) => one.glance(wire)));
      found = findTool(name);
    }
    return found === undefined ? undefined : forwardTool({ ...found, params, wire }, parts);
  };

  /** A request that is no tool call: sent once, on a live connection. */
  const ask = ({ upstream, connection }: Open, method: string, params: Plain, wire: Wire): Promise<Plain> =>
    upstream.calls.resume(wire, params) ??
    upstream.calls.run(wire, async (running) => {
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

  const findPrompt = async (name: unknown, wire: Wire): Promise<{ open: Open; name: string } | undefined> => {
    for (const open of await openFor(wire)) {
      const prompts = await open.upstream.offered('prompts', open.connection);
      const found = prompts.find((one) => naming.shown(open.upstream.name, String(one['name'])) === name);
      if (found !== undefined) return { open, name: String(found['name']) };
    }
    return undefined;
  };

  /** By its list, else by a template; else every one that has resources is asked, since lists need not be complete. */
  const findResource = async (uri: string, wire: Wire): Promise<readonly Open[]> => {
    const open = (await openFor(wire)).filter((one) => one.connection.greeting.capabilities['resources'] !== undefined);
    const owners = await Promise.all(
      open.map(async (one) => {
        const listed = await one.upstream.offered('resources', one.connection);
        if (listed.some((entry) => entry['uri'] === uri)) return 2;
        const templates = await one.upstream.offered('resourceTemplates', one.connection);
        return templates.some((entry) => uriTemplate(String(entry['uriTemplate']))(uri) !== undefined) ? 1 : 0;
      }),
    );
    return open
      .map((one, at) => ({ one, rank: owners[at] ?? 0 }))
      .toSorted((a, b) => b.rank - a.rank)
      .map(({ one }) => one);
  };

  const readResource = async (params: Plain, wire: Wire): Promise<Plain | undefined> => {
    let refused: UpstreamError | undefined;
    for (const open of await findResource(String(params['uri']), wire)) {
      try {
        return await ask(open, 'resources/read', params, wire);
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        refused ??= error;
      }
    }
    if (refused !== undefined) throw refused;
    return undefined;
  };

  const complete = async (params: Plain, wire: Wire): Promise<Plain | undefined> => {
    const reference = (params['ref'] ?? {}) as Plain;
    if (reference['type'] === 'ref/prompt') {
      const prompt = await findPrompt(reference['name'], wire);
      if (prompt === undefined) return undefined;
      return ask(prompt.open, 'completion/complete', { ...params, ref: { ...reference, name: prompt.name } }, wire);
    }
    for (const open of await openFor(wire)) {
      const templates = await open.upstream.offered('resourceTemplates', open.connection);
      if (templates.some((one) => one['uriTemplate'] === reference['uri']))
        return ask(open, 'completion/complete', params, wire);
    }
    return undefined;
  };

  const getPrompt = async (params: Plain, wire: Wire): Promise<Plain | undefined> => {
    const prompt = await findPrompt(params['name'], wire);
    return prompt && ask(prompt.open, 'prompts/get', { ...params, name: prompt.name }, wire);
  };

  const subscribe =
    (on: boolean) =>
    async (params: Plain, wire: Wire): Promise<undefined> => {
      const [owner] = await findResource(String(params['uri']), wire);
      await owner?.upstream.subscribe(String(params['uri']), on);
    };

  const setLevel = async (params: Plain): Promise<undefined> => {
    await Promise.all(upstreams.map((one) => one.setLogLevel(String(params['level']))));
  };

  const answers: Readonly<Record<string, (params: Plain, wire: Wire) => Promise<Plain | undefined>>> = {
    'tools/call': callTool,
    'prompts/get': getPrompt,
    'resources/read': readResource,
    'completion/complete': complete,
    'resources/subscribe': subscribe(true),
    'resources/unsubscribe': subscribe(false),
    'logging/setLevel': setLevel,
  };

  return {
    list: (kind: ListKind, caller) => (kind === 'tools' ? listTools(caller) : listOffers(kind, caller)),
    answer: async (method, params, wire) => answers[method]?.(params, wire),
  };
}

/** Every shown tool by its name, and by the same with `_` for `.`; a real name goes before a folded one. */
function indexOf(upstreams: readonly Upstream[], naming: Naming): Map<string, Target> {
  const targets = upstreams.flatMap((upstream) =>
    upstream.tools.map((tool): readonly [string, Target] => {
      const name = String(tool['name']);
      return [naming.shown(upstream.name, name), { upstream, name, tool }];
    }),
  );
  return new Map([...targets.map(([name, target]) => [fold(name), target] as const), ...targets]);
}
