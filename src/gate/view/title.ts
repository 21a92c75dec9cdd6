import type { Run } from '../run/runs.ts';

/** Where people put what a run is about. */
const keys = ['title', 'name', 'subject', 'goal', 'task', 'version'];

/** What a run is about, as far as its context says; undefined where it does not. */
export function titleOf({ context }: Pick<Run, 'context'>): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(context, key) ? context[key] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, 200);
  }
  return undefined;
}
