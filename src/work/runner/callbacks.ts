import type { Callbacks } from '../../fleet/index.ts';
import { type Callback, defineCallback } from '../../kernel/callback.ts';
import type { Claim } from './instance-writes.ts';

const started = defineCallback<Claim>('work.instance-started', async () => (await writes()).startedWrites);
const lives = defineCallback<Claim>('work.instance-lives', async () => (await writes()).renewWrites);
const ended = defineCallback<Claim>('work.instance-ended', async () => (await writes()).endedWrites);

const writes = () => import('./instance-writes.ts');

export const callbacks: readonly Callback[] = [started, lives, ended];

/** The callbacks of an instance's host: its commits also claim the pair, renew the claim and free the pair at the end. */
export function instanceCallbacks({ leaseMs, ...claim }: Claim & { readonly leaseMs: number }): Callbacks {
  return { leaseMs, start: started.call(claim), beat: lives.call(claim), end: ended.call(claim) };
}
