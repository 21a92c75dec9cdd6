import type { Run } from '../run/runs.ts';

const keys = ['title', 'name', 'subject', 'goal', 'task', 'version'];

/** Returns the subject of a run from its context; undefined if there is none. */
export function titleOf({ context }: Pick<Run, 'context'>): string | undefined {
  for (const key of keys) {
    const value = Object.hasOwn(context, key) ? context[key] : undefined;
    if (typeof value === 'string' && value.trim() !== '') return value.trim().slice(0, 200);
  }
  return undefined;
}
