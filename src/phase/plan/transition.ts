import type { Context } from '../../kernel/context.ts';
import { Problem, isProblem, problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { confine, emit, gateProblem } from '../../gate/index.ts';
import { completeEvent, planOf, reportEvent } from './plan.ts';
import { type PhaseStanding, readStanding } from './state.ts';
import { invalidInput, phrase, problem } from '../problem.ts';

export interface PhaseResult {
  readonly status: 'completed' | 'partial' | 'failed';
  readonly outputFiles?: readonly string[] | undefined;
  readonly summary?: string | undefined;
}

/** Largest result; the gate has the same limit for payloads. */
export const maxResultBytes = 100 * 1024;

/** Submits the result to the gate, which decides. If several callers complete a phase at once, one succeeds. */
export async function transition(
  context: Context,
  phase: string,
  result: PhaseResult,
): Promise<{ next: string | null; at: string }> {
  checkSize(context, '/result', result);
  return retry(
    () => submitResult(context, phase, result),
    () => kernelProblem.STORE_BUSY({ what: phase }),
  );
}

async function submitResult(context: Context, phase: string, result: PhaseResult) {
  const { standing } = await readStanding(context);
  checkCurrent(context, standing, phase);
  const paths = await existingFiles(standing.tree, result.outputFiles ?? []);
  const now = context.now();
  try {
    const answer = await emitWithValidFiles(
      { ...context, now: () => now },
      {
        runId: standing.runId,
        event: result.status === 'completed' ? completeEvent : reportEvent,
        payload: { ...result },
        expectedRevision: standing.revision,
        key: context.newId('phase-'),
        paths,
      },
    );
    const { to_state: to } = answer.result.transition;
    if (result.status !== 'completed') return { next: phase, at: now.toISOString() };
    if (to !== phase) return { next: answer.result.is_final ? null : to, at: now.toISOString() };
    // The run stayed: the gate kept the files as evidence, but a guard is not satisfied.
    throw blocked(context, phase, answer.result.missing_guards ?? [], answer.result.waits_for_person ?? null);
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (error.code === 'REVISION_CONFLICT') return again;
    if (gateProblem.GUARD_FAILED.is(error)) throw blocked(context, phase, error.params.missing, error.params.waits);
    throw error;
  }
}

/** Emits the event without the files that the gate rejects (empty, too large, our own …): only a guard can require a file. */
async function emitWithValidFiles(context: Context, request: Parameters<typeof emit>[1]): ReturnType<typeof emit> {
  try {
    return await emit(context, request);
  } catch (error) {
    if (!gateProblem.INVALID_PAYLOAD.is(error)) throw error;
    const wrong = new Set(error.params.errors.map((one) => one.path));
    const paths = request.paths.filter((_, index) => !wrong.delete(`/artifact_paths/${index}`));
    if (wrong.size > 0) throw error;
    return emitWithValidFiles(context, { ...request, paths });
  }
}

function checkCurrent(context: Context, standing: PhaseStanding, phase: string): void {
  const { status } = standing;
  if (standing.state === phase && status === 'open') return;
  const inPlan = standing.plan === planOf(context).digest || standing.completed.includes(phase);
  const ended = { completed: 'finished', aborted: 'aborted', open: undefined } as const;
  const why = ended[status] ?? (inPlan ? 'other' : 'plan');
  const current = status === 'open' ? standing.state : undefined;
  throw problem.INVALID_PHASE_TRANSITION(
    { phase, current, why },
    { phase, current_phase: current ?? null, completed_phases: standing.completed },
  );
}

function blocked(context: Context, phase: string, missing: readonly string[], waits: string | null): Problem {
  const next = [context.say(phrase.blocked({ phase })), ...(waits === null ? [] : [waits])];
  return gateProblem.GUARD_FAILED(
    { missing, waits },
    { missing_guards: missing, current_phase: phase, next_step: next.join(' ') },
  );
}

export function checkSize(context: Context, path: string, value: unknown): void {
  const bytes = Buffer.byteLength(JSON.stringify(value));
  if (bytes <= maxResultBytes) return;
  throw invalidInput(path, context.say(phrase.promptTooLarge({ bytes, limit: maxResultBytes })));
}

/** Selects the output files that exist: they become evidence, the others are ignored. */
async function existingFiles(tree: string, files: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    [...new Set(files)].slice(0, 1000).map(async (path) => {
      const file = await confine(tree, path);
      return typeof file === 'string' ? [] : [path];
    }),
  );
  return found.flat();
}
