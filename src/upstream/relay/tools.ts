import type { Plain } from '../../kernel/plain.ts';
import type { Caller, Wire } from '../../kernel/relay.ts';
import { withoutForeignOutput } from '../link/tool.ts';
import type { Upstream } from '../link/upstream.ts';
import type { ToolCall } from './forward.ts';
import { forwardTool } from './forward.ts';
import { phrase } from '../problem.ts';
import { fold } from '../../kernel/tool-name.ts';
import type { Naming } from './naming.ts';
import type { RelayParts } from './parts.ts';

type Target = Pick<ToolCall, 'upstream' | 'name' | 'tool'>;

/** The upstreams' tools under the names that our clients see. */
export interface RelayedTools {
  list(caller: Caller): Promise<readonly Plain[]>;
  /** Undefined where no upstream has such a tool. */
  call(params: Plain, wire: Wire): Promise<Plain | undefined>;
}

export function createTools(parts: RelayParts): RelayedTools {
  const { upstreams, naming } = parts;
  const shown = new Map<Caller['era'], { version: number; tools: readonly Plain[] }>();
  let index = { version: -1, tools: new Map<string, Target>() };

  /** Which tool a name means; the upstream is known even where its tools are not. */
  const find = (name: string): Target | undefined => {
    const version = parts.version();
    if (index.version !== version) index = { version, tools: indexOf(upstreams, naming) };
    return index.tools.get(name) ?? guess(name, upstreams, naming);
  };

  return {
    async list(caller) {
      await parts.loaded();
      const unknown = upstreams.filter((one) => one.known === undefined);
      await Promise.all(unknown.map((one) => one.glance(caller)));
      const version = parts.version();
      const held = shown.get(caller.era);
      if (held?.version === version && unknown.length === 0) return held.tools;
      const tools = upstreams.flatMap((upstream) => toolsOf(upstream, naming, caller));
      shown.set(caller.era, { version, tools });
      return tools;
    },
    async call(params, wire) {
      await parts.loaded();
      const name = String(params['name']);
      let found = find(name);
      // A transparent upstream that is not connected may have more by now than it had, or be wholly unknown.
      if (found?.tool === undefined) {
        const closed = upstreams.filter((one) => !one.settings.gated && one.link.connection === undefined);
        await Promise.all(closed.map((one) => one.glance(wire)));
        found = find(name);
      }
      return found === undefined ? undefined : forwardTool({ ...found, params, wire }, parts);
    },
  };
}

function toolsOf(upstream: Upstream, naming: Naming, { era, context }: Caller): readonly Plain[] {
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

/** By the name alone, where an upstream has not said yet what it has. */
function guess(shown: string, upstreams: readonly Upstream[], naming: Naming): Target | undefined {
  for (const { upstream: owner, name } of naming.candidates(shown)) {
    const upstream = upstreams.find((one) => one.name === owner);
    if (upstream !== undefined && upstream.known === undefined && upstream.allows(name))
      return { upstream, name, tool: undefined };
  }
  return undefined;
}
