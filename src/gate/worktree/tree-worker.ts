import { parentPort } from 'node:worker_threads';
import { messageOf } from '../../base/failure.ts';
import { type EntryChange, compareManifests, manifestDigest, packManifest, unpackManifest } from './manifest.ts';
import { type Tree, scanTree } from './scan.ts';

/** The thread that reads work trees. Hashing a hundred thousand files must not block the daemon. */

export interface TreeQuestion extends Tree {
  readonly id: number;
  /** The text of an earlier manifest of the same tree. */
  readonly before: string | undefined;
  /** Compare with the earlier manifest, or record a new one that includes its files. */
  readonly what: 'compare' | 'record';
}

export interface RecordedTree {
  readonly digest: string;
  readonly text: string;
}

export type TreeAnswer = { readonly id: number } & (
  | { readonly changes: readonly EntryChange[] }
  | { readonly recorded: RecordedTree }
  | { readonly fault: string }
);

async function answer({ id, before, what, ...tree }: TreeQuestion): Promise<TreeAnswer> {
  const earlier = before === undefined ? undefined : unpackManifest(before);
  if (what === 'compare' && earlier !== undefined)
    return { id, changes: compareManifests(earlier, await scanTree({ ...tree, since: earlier })) };
  const now = await scanTree({ ...tree, since: undefined, also: earlier?.files.keys() ?? [] });
  return { id, recorded: { digest: manifestDigest(now), text: packManifest(now) } };
}

// Scans run one after the other: two at once would slow each other down on the disk.
let turn: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (question: TreeQuestion) => {
  turn = turn.then(async () => {
    try {
      parentPort?.postMessage(await answer(question));
    } catch (error) {
      const fault = messageOf(error);
      parentPort?.postMessage({ id: question.id, fault } satisfies TreeAnswer);
    }
  });
});
