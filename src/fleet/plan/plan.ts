import type { Outcome, ResultStatus } from '../view/state.ts';

/** The state of one agent of a plan. */
export interface Member {
  readonly id: string;
  /** Undefined while the agent waits or runs. */
  readonly outcome: Outcome | undefined;
  /** The status the agent reported, if any. */
  readonly reported: ResultStatus | undefined;
}

export interface StagePlan {
  /** The stage that was started last. */
  readonly current: number;
  readonly stages: readonly (readonly Member[])[];
  readonly onFailure: 'stop' | 'continue';
}

export type Move =
  /** An agent of the current stage is still running. */
  | { readonly kind: 'wait' }
  /** The next stage needs more capacity than is free. */
  | { readonly kind: 'blocked'; readonly stage: number }
  | { readonly kind: 'start'; readonly stage: number; readonly agentIds: readonly string[] }
  /** A stage failed: the remaining stages never run. */
  | { readonly kind: 'stop'; readonly failedStage: number; readonly agentIds: readonly string[] }
  | { readonly kind: 'finish' };

export function hasSucceeded(member: Member): boolean {
  return member.outcome === 'completed' && (member.reported ?? 'success') === 'success';
}

/** Decides the next step of a plan. `room` is the number of agents that may start now. */
export function planStages(plan: StagePlan, room: number): Move {
  for (let stage = plan.current; stage < plan.stages.length; stage++) {
    const members = plan.stages[stage] ?? [];
    const open = members.filter((one) => one.outcome === undefined);
    // A later stage whose agents were all cancelled before it began is skipped.
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
