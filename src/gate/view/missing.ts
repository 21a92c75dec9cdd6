import type { Context } from '../../kernel/context.ts';
import type { Problem } from '../../kernel/problem.ts';
import { approvedByPersonOnly, personCommand } from '../definition/person-command.ts';
import { guardName } from '../definition/definition.ts';
import { countedIn } from '../guards.ts';
import { phrase } from '../phrase.ts';
import { problem } from '../problem.ts';
import type { JudgedTransition } from '../run/machine.ts';
import type { Run } from '../run/runs.ts';

type MissingRun = Pick<Run, 'id' | 'revision' | 'state' | 'definition' | 'isFinal'>;

export function describeMissing(judged: readonly JudgedTransition[]): readonly string[] {
  const open = judged.flatMap(({ verdicts }) => verdicts.filter(({ verdict }) => !verdict.satisfied));
  return [...new Set(open.map(({ guard, verdict }) => `${guardName(guard)}: ${verdict.reason}`))];
}

/** Says which approval a run waits for and how a person gives it; null if it waits for no person. */
export function waitsForPerson(context: Context, run: MissingRun, judged: readonly JudgedTransition[]): string | null {
  if (run.isFinal) return null;
  const unmet = judged.flatMap(({ verdicts }) => verdicts.filter(({ verdict }) => !verdict.satisfied));
  const counted = countedIn(
    unmet.map(({ guard }) => guard),
    run.definition.guards,
  );
  const yes = counted.length > 0 ? counted : approvedByPersonOnly(run.definition, run.state);
  const commands = [...new Set(yes.map((one) => personCommand(run, one)))];
  if (commands.length === 0) return null;
  const ask = context.say(phrase.waitsForPerson({ commands }));
  return context.actor.person ? ask : `${ask}\n${context.say(phrase.waitForPerson({ revision: run.revision }))}`;
}

/** Creates the problem for an event that changed nothing: the missing guards and the next step. */
export function guardProblem(context: Context, run: MissingRun, judged: readonly JudgedTransition[]): Problem {
  const missing = describeMissing(judged);
  const waits = waitsForPerson(context, run, judged);
  return problem.GUARD_FAILED(
    { missing, waits },
    {
      missing_guards: missing,
      current_revision: run.revision,
      next_step: [context.say(phrase.guardNext()), ...(waits === null ? [] : [waits])].join(' '),
    },
  );
}
