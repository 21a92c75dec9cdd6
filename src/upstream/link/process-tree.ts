import type { Tree } from '../../machine/tree.ts';

/** The variable that marks an upstream's process and every process it starts. */
export const upstreamMarker = 'SEKISHO_UPSTREAM';

/** Describes an upstream's process tree, including browsers that left its process group. */
export function processTreeOf(marker: string, root: Tree['root']): Tree {
  return { mark: { name: upstreamMarker, value: marker }, root };
}
