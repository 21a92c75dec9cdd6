import type { Tree } from '../../machine/tree.ts';

/** In the environment of an upstream's process, and so of everything that it starts. */
export const upstreamMarker = 'SEKISHO_UPSTREAM';

/** An upstream's process and everything below it, browsers that left its group too. */
export function processTreeOf(marker: string, root: Tree['root']): Tree {
  return { mark: { name: upstreamMarker, value: marker }, root };
}
