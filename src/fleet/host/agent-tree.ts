import type { Tree } from '../../machine/tree.ts';

/** Every process of an agent has this in its environment, and so has whatever it starts. */
export const agentMarker = 'SEKISHO_AGENT_ID';

/** An agent's program, which leads a group of its own, and everything below it. */
export function agentTree(agentId: string, root: Tree['root']): Tree {
  return { mark: { name: agentMarker, value: agentId }, root };
}
