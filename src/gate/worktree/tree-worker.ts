import { parentPort } from 'node:worker_threads';
import type { Environment } from '../../kernel/environment.ts';
import type { Changed, Manifest } from './manifest.ts';
import { compare, manifestDigest, pack, unpack } from './manifest.ts';
import { scan } from './scan.ts';

/** The thread that reads work trees: hashing a hundred thousand files must not keep a daemon from answering. */

export interface Question {
  readonly id: number;
  readonly root: string;
  readonly leaveOut: readonly string[];
  readonly blank: Readonly<Record<string, string>>;
  readonly keys: Readonly<Record<string, readonly string[]>>;
  readonly env: Environment;
  /** A manifest of the same tree; its text may be left out where this thread has seen it. */
  readonly before: { readonly digest: string; readonly own: boolean; readonly text: string | undefined } | undefined;
  /** Compare with it, or make a new one: faster, and where it is the run's own, with the files that it had. */
  readonly what: 'compare' | 'record';
}

export interface Recorded {
  readonly digest: string;
  readonly text: string;
  readonly files: number;
}

export type Answer = { readonly id: number } & (
  | { readonly changes: readonly Changed[] }
  | { readonly recorded: Recorded }
  /** The manifest is not known here: ask again with its text. */
  | { readonly unknown: true }
  | { readonly fault: string }
);

const keptManifests = 4;
const manifests = new Map<string, Manifest>();
/** The newest look at each tree: what was read a moment ago need not be read again. */
const latest = new Map<string, Manifest>();

function keep(digest: string, manifest: Manifest): void {
  manifests.delete(digest);
  manifests.set(digest, manifest);
  const [oldest] = manifests.keys();
  if (manifests.size > keptManifests && oldest !== undefined) manifests.delete(oldest);
}

async function answer({ id, root, leaveOut, blank, keys, env, before, what }: Question): Promise<Answer> {
  const known = before === undefined ? undefined : manifests.get(before.digest);
  if (before !== undefined && known === undefined && before.text === undefined) return { id, unknown: true };
  const since = known ?? (before?.text === undefined ? undefined : unpack(before.text));
  if (since !== undefined && before !== undefined) keep(before.digest, since);
  const recent = latest.get(root);
  const now = await scan({
    root,
    leaveOut,
    blank,
    keys,
    env,
    since: what === 'compare' ? since : undefined,
    also: what === 'record' && before?.own === true ? (since?.files.keys() ?? []) : [],
    known: (name) => recent?.files.get(name) ?? since?.files.get(name),
  });
  latest.clear();
  latest.set(root, now);
  if (what === 'compare' && since !== undefined) return { id, changes: compare(since, now) };
  const digest = manifestDigest(now);
  keep(digest, now);
  return { id, recorded: { digest, text: pack(now), files: now.files.size } };
}

// One after the other: two scans at once would only get in each other's way on the disk.
let turn: Promise<unknown> = Promise.resolve();
parentPort?.on('message', (question: Question) => {
  turn = turn.then(async () => {
    try {
      parentPort?.postMessage(await answer(question));
    } catch (error) {
      const fault = error instanceof Error ? error.message : String(error);
      parentPort?.postMessage({ id: question.id, fault } satisfies Answer);
    }
  });
});
