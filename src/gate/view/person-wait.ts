import type { Context } from '../../kernel/context.ts';
import { digestsOf } from '../approval/approval.ts';
import { approvedByPersonOnly } from '../definition/person-command.ts';
import { findState } from '../definition/definition.ts';
import type { JudgedTransition } from '../run/machine.ts';
import { type Snapshot, readRun } from '../run/runs.ts';
import { viewEvents } from './events.ts';
import { waitsForPerson } from './missing.ts';

/** More people than a guard asks for. */
const enoughPeople = 100;

/**
 * Returns the sentence that asks for a person's answer, if the run needs nothing else to leave its state. Guards that are
 * evaluated only when the event comes (programs, the work tree) do not count as missing.
 */
export async function readPersonWait(context: Context, runId: string): Promise<string | undefined> {
  const snapshot = await readRun(context, runId);
  const { run } = snapshot;
  if (run.isFinal || !run.placed) return undefined;
  const now = await waysOutOf(context, snapshot);
  const answered = await waysOutOf(context, withAnswers(snapshot));
  const byPersonOnly = approvedByPersonOnly(run.definition, run.state).map((one) => one.event);
  const isOnlyAnswer = answered.some((one, index) => {
    const asks = misses(now[index]!) || byPersonOnly.includes(one.transition.event);
    return one.transition.to !== run.state && asks && !misses(one);
  });
  return isOnlyAnswer ? (waitsForPerson(context, run, now) ?? undefined) : undefined;
}

async function waysOutOf(context: Context, snapshot: Snapshot): Promise<readonly JudgedTransition[]> {
  return (await viewEvents(context, snapshot)).flatMap((view) => view.judged);
}

/** The run as if people had given every approval that guards out of its state count. */
function withAnswers(snapshot: Snapshot): Snapshot {
  const { run, artifacts, approvals } = snapshot;
  const evidence = digestsOf(artifacts);
  const given = (findState(run.definition, run.state)?.counted ?? []).flatMap(({ event, role = 'reviewer' }) =>
    Array.from({ length: enoughPeople }, (_, index) => ({ event, role, actor: `person-${index}`, evidence })),
  );
  return { ...snapshot, approvals: [...approvals, ...given] };
}

function misses({ verdicts }: JudgedTransition): boolean {
  return verdicts.some(({ verdict }) => !verdict.satisfied && verdict.undetermined !== true);
}
