import { Worker } from 'node:worker_threads';
import type { Environment } from '../../base/environment.ts';
import { packagePath } from '../../base/package.ts';
import type { Change, Changed } from './manifest.ts';
import type { TreeAnswer, TreeQuestion, Recorded } from './tree-worker.ts';

/** A tree and what of it is no part of the work. */
export interface Tree {
  readonly root: string;
  readonly leaveOut: readonly string[];
  /** Files that with this very text are as good as not there: we put them there while an agent works. */
  readonly blank: Readonly<Record<string, string>>;
  /** JSON files of which these keys do not count. */
  readonly keys: Readonly<Record<string, readonly string[]>>;
  /** What git is started with. */
  readonly env: Environment;
}

/** What changed since a manifest, by content. Throws an Error with a sentence where the tree cannot be read. */
export async function changesSince(tree: Tree, before: string, signal: AbortSignal): Promise<readonly Change[]> {
  return (await differenceSince(tree, before, signal)).map(({ path, how }) => ({ path, how }));
}

/** The same, with the digests of what was there and what is there now. */
export async function differenceSince(tree: Tree, before: string, signal: AbortSignal): Promise<readonly Changed[]> {
  const answer = await ask({ ...tree, what: 'compare' }, before, signal);
  if (!('changes' in answer)) throw new TypeError('the tree was not compared');
  return answer.changes;
}

/** The tree as it is, to be kept. What an earlier manifest saw is looked at again, whatever is ignored since. */
export async function recordTree(tree: Tree, earlier: string | undefined, signal: AbortSignal): Promise<Recorded> {
  const answer = await ask({ ...tree, what: 'record' }, earlier, signal);
  if (!('recorded' in answer)) throw new TypeError('the tree was not recorded');
  return answer.recorded;
}

async function ask(
  question: Omit<TreeQuestion, 'id' | 'before'>,
  before: string | undefined,
  signal: AbortSignal,
): Promise<TreeAnswer> {
  signal.throwIfAborted();
  const answer = await (current ??= start()).ask({ ...question, before }, signal);
  if ('fault' in answer) throw new Error(answer.fault);
  return answer;
}

interface Thread {
  ask(question: Omit<TreeQuestion, 'id'>, signal: AbortSignal): Promise<TreeAnswer>;
}

/** One for the whole process, begun when it is first needed. */
let current: Thread | undefined;

function start(): Thread {
  const worker = new Worker(packagePath('dist', 'tree-worker.cjs'));
  const waiting = new Map<number, { done(answer: TreeAnswer): void; fail(error: Error): void }>();
  let last = 0;
  const settle = (id: number) => {
    const one = waiting.get(id);
    waiting.delete(id);
    // A process that has nothing else to do may end; one that waits for us may not.
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
        waiting.set(id, {
          done: (answer) => (end(), done(answer)),
          fail: (error) => (end(), fail(error)),
        });
        signal.addEventListener('abort', stop, { once: true });
        worker.postMessage({ ...question, id } satisfies TreeQuestion);
      });
    },
  };
}
