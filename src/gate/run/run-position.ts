import type { Context } from '../../kernel/context.ts';
import { statePrompt } from './prompt.ts';
import { possibleEvents } from '../definition/role.ts';
import { readRun } from './runs.ts';
import type { RunStatus } from './status.ts';
import { missingGuards, viewEvents } from '../view/events.ts';

/** The position of a run, for modules whose own work depends on it. It can be read from any project. */
export interface RunPosition {
  readonly run_id: string;
  readonly process_id: string;
  readonly current_state: string;
  readonly prompt: string | null;
  readonly is_final: boolean;
  readonly status: RunStatus;
  /** Unsatisfied guards of the transitions out of this state, as `name: reason`. */
  readonly missing_guards: readonly string[];
  readonly possible_events: readonly string[];
}

export async function readRunPosition(context: Context, runId: string): Promise<RunPosition> {
  const snapshot = await readRun(context, runId);
  const { run } = snapshot;
  const missing = run.isFinal ? [] : missingGuards(context, run, await viewEvents(context, snapshot));
  return {
    run_id: run.id,
    process_id: run.processId,
    current_state: run.state,
    prompt: run.aborted === null ? statePrompt(run.definition, run.state, run.context) : null,
    is_final: run.isFinal,
    status: run.status,
    missing_guards: missing.map((one) => `${one.guard_name}: ${one.current_status}`),
    possible_events: run.isFinal ? [] : possibleEvents(run.definition, run.state, context.actor.role),
  };
}
