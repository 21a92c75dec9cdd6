import { Worker } from 'node:worker_threads';
import { packagePath } from '../../base/package.ts';
import type { Change, EntryChange } from './manifest.ts';
import type { Tree } from './scan.ts';
import type { TreeAnswer, TreeQuestion, RecordedTree } from './tree-worker.ts';

/** Lists the changes of content since a manifest. Throws an Error with a sentence if the tree cannot be read. */
export async function listChanges(tree: Tree, before: string, signal: AbortSignal): Promise<readonly Change[]> {
  return (await listEntryChanges(tree, before, signal)).map(({ path, how }) => ({ path, how }));
}

/** Lists the changes with the previous and current digests. */
export async function listEntryChanges(
  tree: Tree,
  before: string,
  signal: AbortSignal,
): Promise<readonly EntryChange[]> {
  const answer = await askThread({ ...tree, what: 'compare' }, before, signal);
  if (!('changes' in answer)) throw new TypeError('the tree was not compared');
  return answer.changes;
}

/** Records the current tree. It includes the files of an earlier manifest, even if they are ignored now. */
export async function recordTree(tree: Tree, earlier: string | undefined, signal: AbortSignal): Promise<RecordedTree> {
  const answer = await askThread({ ...tree, what: 'record' }, earlier, signal);
  if (!('recorded' in answer)) throw new TypeError('the tree was not recorded');
  return answer.recorded;
}

async function askThread(
  question: Omit<TreeQuestion, 'id' | 'before'>,
  before: string | undefined,
  signal: AbortSignal,
): Promise<TreeAnswer> {
  signal.throwIfAborted();
  const answer = await (current ??= startThread()).ask({ ...question, before }, signal);
  if ('fault' in answer) throw new Error(answer.fault);
  return answer;
}

interface Thread {
  ask(question: Omit<TreeQuestion, 'id'>, signal: AbortSignal): Promise<TreeAnswer>;
}

/** The worker thread, shared by the whole process and started on first use. */
let current: Thread | undefined;

function startThread(): Thread {
  const worker = new Worker(packagePath('dist', 'tree-worker.cjs'));
  const waiting = new Map<number, { done(answer: TreeAnswer): void; fail(error: Error): void }>();
  let last = 0;
  const settle = (id: number) => {
    const one = waiting.get(id);
    waiting.delete(id);
    // Let the process exit if no request is pending.
    if (waiting.size === 0) worker.unref();
    return one;
  };
  const lose = (error: Error) => {
    current = undefined;
    for (const id of waiting.keys()) settle(id)?.fail(error);
  };
  worker.on('message', (answer: TreeAnswer) => settle(answer.id)?.done(answer));
  worker.on('error', lose);
  worker.on('exit', () => lose(new Error('the thread that reads work trees has ended')));
  worker.unref();
  return {
    ask(question, signal) {
      const id = ++last;
      worker.ref();
      return new Promise((done, fail) => {
        const stop = () => settle(id)?.fail(signal.reason as Error);
        const end = () => signal.removeEventListener('abort', stop);
        waiting.set(id, { done: (answer) => (end(), done(answer)), fail: (error) => (end(), fail(error)) });
        signal.addEventListener('abort', stop, { once: true });
        worker.postMessage({ ...question, id } satisfies TreeQuestion);
      });
    },
  };
}
