import type { Outcome, ResultStatus } from '../view/state.ts';

/** What a plan needs to know of one of its agents. */
export interface Member {
  readonly id: string;
  /** Undefined while it waits or runs. */
  readonly outcome: Outcome | undefined;
  /** What it reported, where it did. */
  readonly reported: ResultStatus | undefined;
}

export interface StagePlan {
  /** The stage that was started last. */
  readonly current: number;
  readonly stages: readonly (readonly Member[])[];
  readonly onFailure: 'stop' | 'continue';
}

export type Move =
  /** Somebody of the current stage is still at work. */
  | { readonly kind: 'wait' }
  /** The next stage needs more room than there is. */
  | { readonly kind: 'blocked'; readonly stage: number }
  | { readonly kind: 'start'; readonly stage: number; readonly agentIds: readonly string[] }
  /** A stage failed: the rest never runs. */
  | { readonly kind: 'stop'; readonly failedStage: number; readonly agentIds: readonly string[] }
  | { readonly kind: 'finish' };

export function hasSucceeded(member: Member): boolean {
  return member.outcome === 'completed' && (member.reported ?? 'success') === 'success';
}

/** What comes next, from what has happened; `room` is how many agents may start now. */
export function planStages(plan: StagePlan, room: number): Move {
  for (let stage = plan.current; stage < plan.stages.length; stage++) {
    const members = plan.stages[stage] ?? [];
    const open = members.filter((one) => one.outcome === undefined);
    // A later stage whose agents were all cancelled before it began is passed like one that ran.
    if (open.length > 0) {
      if (stage === plan.current) return { kind: 'wait' };
      if (open.length > room) return { kind: 'blocked', stage };
      return { kind: 'start', stage, agentIds: open.map((one) => one.id) };
    }
    if (plan.onFailure === 'stop' && !members.every(hasSucceeded)) {
      const rest = plan.stages.slice(stage + 1).flat();
      return {
        kind: 'stop',
        failedStage: stage,
        agentIds: rest.filter((one) => one.outcome === undefined).map((one) => one.id),
      };
    }
  }
  return { kind: 'finish' };
}
