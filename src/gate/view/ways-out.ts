import type { Context } from '../../kernel/context.ts';
import { guardName } from '../definition/definition.ts';
import type { Snapshot } from '../run/runs.ts';
import { viewEvents } from './events.ts';

/** Lists the transitions out of a run's state and the unsatisfied guards of each. */
export async function waysOut(context: Context, snapshot: Snapshot) {
  const views = await viewEvents(context, snapshot);
  return views
    .filter((one) => one.legalHere)
    .flatMap(({ event, judged, roleAdmitted }) =>
      judged.map(({ transition, verdicts }) => ({
        event: event.name,
        to: transition.to,
        is_yours: roleAdmitted,
        guards: verdicts.map(({ guard, verdict }) => ({
          name: guardName(guard),
          is_satisfied: verdict.satisfied,
          is_pending: verdict.undetermined === true,
          reason: verdict.reason,
        })),
      })),
    );
}
