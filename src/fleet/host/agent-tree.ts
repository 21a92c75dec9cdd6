import type { Tree } from '../../machine/tree.ts';

/** The variable that marks every process of an agent, and every process those start. */
export const agentMarker = 'SEKISHO_AGENT_ID';

/** Describes an agent's process tree: its program, which leads its own process group, and everything below it. */
export function agentTree(agentId: string, root: Tree['root']): Tree {
  return { mark: { name: agentMarker, value: agentId }, root };
}
