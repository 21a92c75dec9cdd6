import type { JsonObject } from '../../base/json-object.ts';
import type { Caller, Wire } from '../../kernel/relay.ts';
import { dotsToUnderscores } from '../../kernel/tool-name.ts';
import type { KnownTools } from '../link/catalogue.ts';
import { withoutForeignOutput } from '../link/tool.ts';
import type { Upstream } from '../link/upstream.ts';
import { phrase } from '../problem.ts';
import { type RelayParts, type ToolCall, forwardTool } from './forward.ts';
import type { Naming } from './naming.ts';

type Target = Pick<ToolCall, 'upstream' | 'name' | 'tool'>;

/** An upstream's tools: the lists for clients, and lookups by exact name and by name with dots replaced. */
interface Shown {
  readonly list: Readonly<Record<Caller['era'], readonly JsonObject[]>>;
  readonly named: ReadonlyMap<string, Target>;
  readonly folded: ReadonlyMap<string, Target>;
}

/** The upstreams' tools under the names that our clients see. */
export function createTools(parts: RelayParts) {
  const { upstreams, naming } = parts;
  const seen = new WeakMap<KnownTools, Shown>();
  const shown = (upstream: Upstream, known: KnownTools): Shown => {
    const made = seen.get(known) ?? buildShown(upstream, known, naming);
    seen.set(known, made);
    return made;
  };
  const knownTo = (upstream: Upstream, { connection }: Caller) =>
    upstream.findConnection(connection)?.known ?? upstream.known;

  /** Finds the tool for a name, else the upstream alone if its tools are not known. An exact name beats a folded one. */
  const find = (name: string, caller: Caller): Target | undefined => {
    let folded: Target | undefined;
    for (const one of upstreams) {
      const known = knownTo(one, caller);
      const has = known && shown(one, known);
      const target = has?.named.get(name);
      if (target !== undefined) return target;
      folded ??= has?.folded.get(name);
    }
    return folded ?? guessTarget(name, parts, (one) => knownTo(one, caller) === undefined);
  };

  return {
    async list(caller: Caller): Promise<readonly JsonObject[]> {
      await parts.loaded();
      const unknown = upstreams.filter((one) => knownTo(one, caller) === undefined);
      await Promise.all(unknown.map((one) => one.getConnection(caller).connectBriefly()));
      return upstreams.flatMap((one) => {
        const known = knownTo(one, caller);
        return known === undefined ? bareTools(one, naming, caller) : shown(one, known).list[caller.era];
      });
    },
    /** Calls a tool; undefined if no upstream has it. */
    async call(params: JsonObject, wire: Wire): Promise<JsonObject | undefined> {
      if (parts.loaded.made() === undefined) await parts.loaded();
      const name = String(params['name']);
      let found = find(name, wire);
      // An ungated upstream that is not connected may have new tools, or none of its tools may be known.
      if (found?.tool === undefined) {
        const open = upstreams.filter((one) => !one.settings.gated).map((one) => one.getConnection(wire));
        await Promise.all(open.map((one) => one.connectBriefly()));
        found = find(name, wire);
      }
      return found && forwardTool({ ...found, params, wire }, parts);
    },
  };
}

function buildShown(upstream: Upstream, known: KnownTools, naming: Naming): Shown {
  const tools = upstream.toolsOf(known);
  const named = tools.map((tool): readonly [string, Target] => {
    const name = String(tool['name']);
    return [naming.shown(upstream.name, name), { upstream, name, tool }];
  });
  const modern = named.map(([name, { tool }]) => ({ ...tool, name }));
  return {
    list: { modern, legacy: modern.map(withoutForeignOutput) },
    named: new Map(named),
    folded: new Map(named.map(([name, target]) => [dotsToUnderscores(name), target])),
  };
}

/** Lists the tool names from the configuration, for an upstream whose tools are not known. */
function bareTools(upstream: Upstream, naming: Naming, caller: Caller): readonly JsonObject[] {
  upstream.getConnection(caller).missing.add('tools');
  return (upstream.settings.tools ?? []).map((name) => ({
    name: naming.shown(upstream.name, name),
    description: caller.context.say(phrase.bare({ upstream: upstream.name })),
    inputSchema: { type: 'object' },
  }));
}

/** Finds the upstream by the name alone, among those whose tools are not known. */
function guessTarget(
  shown: string,
  { upstreams, naming }: RelayParts,
  isUnknown: (upstream: Upstream) => boolean,
): Target | undefined {
  for (const { upstream: owner, name } of naming.candidates(shown)) {
    const upstream = upstreams.find((one) => one.name === owner);
    if (upstream !== undefined && isUnknown(upstream) && upstream.allows(name))
      return { upstream, name, tool: undefined };
  }
  return undefined;
}
