/** The history and the next steps of a run in its process. */
export interface Progress {
  readonly current: string;
  readonly visits: readonly {
    readonly state: string;
    readonly entered_at: string;
    readonly left_at: string | null;
    readonly by_event: string | null;
  }[];
  readonly ways: readonly {
    readonly event: string;
    readonly to: string;
    readonly guards: readonly {
      readonly name: string;
      readonly is_satisfied: boolean;
      readonly is_pending: boolean;
      readonly reason: string;
    }[];
  }[];
}

export type Mark = 'met' | 'missing' | 'pending' | 'unknown';

export const signs: Readonly<Record<Mark, string>> = { met: '✓', missing: '✗', pending: '…', unknown: '·' };

export function stepsTaken({ visits }: Progress): ReadonlyMap<string, number> {
  const taken = new Map<string, number>();
  for (const [index, { state, by_event: event }] of visits.entries()) {
    const before = visits[index - 1];
    if (before === undefined || event === null) continue;
    const key = stepKey(before.state, event, state);
    taken.set(key, (taken.get(key) ?? 0) + 1);
  }
  return taken;
}

export function stepKey(from: string, event: string, to: string): string {
  return JSON.stringify([from, event, to]);
}

/** Sums the milliseconds in each state over all visits. The last state of a finished run does not count. */
export function timeIn({ visits }: Progress, now: number, isOver: boolean): ReadonlyMap<string, number> {
  const spent = new Map<string, number>();
  for (const { state, entered_at: from, left_at: to } of visits) {
    if (to === null && isOver) continue;
    const ms = (to === null ? now : Date.parse(to)) - Date.parse(from);
    spent.set(state, (spent.get(state) ?? 0) + Math.max(0, ms));
  }
  return spent;
}

/** The result of a guard of a transition; unknown outside of the current state. */
export function markOf(progress: Progress, from: string, event: string, to: string, guard: string): Mark {
  if (from !== progress.current) return 'unknown';
  const way = progress.ways.find((one) => one.event === event && one.to === to);
  const found = way?.guards.find((one) => one.name === guard);
  if (found === undefined) return 'unknown';
  return found.is_satisfied ? 'met' : found.is_pending ? 'pending' : 'missing';
}
