import type { Context } from '../../kernel/context.ts';
import { Problem, isProblem, problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { confine, emit, gateProblem } from '../../gate/index.ts';
import { completeEvent, planOf, reportEvent } from './plan.ts';
import { type PhaseStanding, readStanding } from './state.ts';
import { phrase, problem } from '../problem.ts';

export interface PhaseResult {
  readonly status: 'completed' | 'partial' | 'failed';
  readonly outputFiles?: readonly string[] | undefined;
  readonly summary?: string | undefined;
}

/** The gate takes no larger payload either. */
export const maxResultBytes = 100 * 1024;

/** Hands the result to the gate, which decides. Of several who complete a phase at once, one does. */
export async function transition(
  context: Context,
  phase: string,
  result: PhaseResult,
): Promise<{ next: string | null; at: string }> {
  checkSize(context, '/result', result);
  return retry(
    () => handIn(context, phase, result),
    () => kernelProblem.STORE_BUSY({ what: phase }),
  );
}

async function handIn(context: Context, phase: string, result: PhaseResult) {
  const { standing } = await readStanding(context);
  checkCurrent(context, standing, phase);
  const paths = await existing(standing.tree, result.outputFiles ?? []);
  const now = context.now();
  try {
    const answer = await emitWithout(
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
    // The files were kept as evidence, but something else is missing.
    throw blocked(context, phase, answer.result.missing_guards ?? [], answer.result.waits_for_person ?? null);
  } catch (error) {
    if (!isProblem(error)) throw error;
    if (error.code === 'REVISION_CONFLICT') return again;
    if (gateProblem.GUARD_FAILED.is(error)) throw blocked(context, phase, error.params.missing, error.params.waits);
    throw error;
  }
}

/** Files that the gate does not take as evidence (empty, too large, our own …) are left out: only a guard may require one. */
async function emitWithout(context: Context, request: Parameters<typeof emit>[1]): ReturnType<typeof emit> {
  try {
    return await emit(context, request);
  } catch (error) {
    if (!gateProblem.INVALID_PAYLOAD.is(error)) throw error;
    const wrong = new Set(error.params.errors.map((one) => one.path));
    const paths = request.paths.filter((_, index) => !wrong.delete(`/artifact_paths/${index}`));
    if (wrong.size > 0) throw error;
    return emitWithout(context, { ...request, paths });
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
  const message = context.say(phrase.promptTooLarge({ bytes, limit: maxResultBytes }));
  throw kernelProblem.VALIDATION_ERROR({ errors: [{ path, message }] }, { validation_errors: [{ path, message }] });
}

/** Output files need not exist; those that do become evidence. */
async function existing(tree: string, files: readonly string[]): Promise<readonly string[]> {
  const found = await Promise.all(
    [...new Set(files)].slice(0, 1000).map(async (path) => {
      const file = await confine(tree, path);
      return typeof file === 'string' ? [] : [path];
    }),
  );
  return found.flat();
}
