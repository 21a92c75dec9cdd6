import type { Callbacks } from '../../fleet/index.ts';
import { type Callback, defineCallback } from '../../kernel/callback.ts';
import type { Claim } from './instance-writes.ts';

const started = defineCallback<Claim>('work.instance-started', async () => (await writes()).startedWrites);
const lives = defineCallback<Claim>('work.instance-lives', async () => (await writes()).renewWrites);
const ended = defineCallback<Claim>('work.instance-ended', async () => (await writes()).endedWrites);

const writes = () => import('./instance-writes.ts');

export const callbacks: readonly Callback[] = [started, lives, ended];

/** What the instance's host commits together with its own: the pair is its from the start, as long as it lives, and free when it ends. */
export function instanceCallbacks({ leaseMs, ...claim }: Claim & { readonly leaseMs: number }): Callbacks {
  return { leaseMs, start: started.call(claim), beat: lives.call(claim), end: ended.call(claim) };
}
