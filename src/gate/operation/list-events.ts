import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { guardName } from '../definition/definition.ts';
import { type JudgedTransition, isSatisfied } from '../run/machine.ts';
import { readRun, resolveRunId } from '../run/runs.ts';
import { guardStatus, jsonSchema, runIdInput } from '../shapes.ts';
import { legalStates, viewImpossibleEvent, viewEvents } from '../view/events.ts';
import { phrase } from '../phrase.ts';
import { described, words } from '../words.ts';

export const listEvents = defineOperation({
  name: 'state_gate.list_events',
  toolsets: ['gate'],
  effect: 'read',
  summary: words('The events that may be emitted now, with their transitions and what each guard still needs.'),
  example: '--include-blocked',
  input: z.strictObject({
    run_id: runIdInput,
    include_blocked: described(z.boolean().optional(), 'Include events that are not possible now, with the reason'),
  }),
  output: z.object({
    run_id: z.string(),
    current_state: z.string(),
    events: z.array(
      z.object({
        event_name: z.string(),
        description: z.string(),
        payload_schema: jsonSchema.optional(),
        transitions: z.array(
          z.object({
            to_state: z.string(),
            guard: z.string().optional(),
            guard_status: guardStatus,
            missing_requirements: z.array(z.string()).optional(),
          }),
        ),
        is_allowed: z.boolean(),
        blocked_reason: z.string().nullable(),
      }),
    ),
  }),
  async run(context, input) {
    const snapshot = await readRun(context, await resolveRunId(context, input.run_id));
    const { run } = snapshot;
    const views = await viewEvents(context, snapshot);
    const shown = input.include_blocked === true ? views : views.filter((one) => one.legalHere && one.roleAdmitted);
    const events = await Promise.all(
      shown.map(async ({ event, judged, legalHere, roleAdmitted }) => {
        const reason =
          run.aborted !== null
            ? context.say(phrase.runAborted(run.aborted))
            : !legalHere
              ? context.say(phrase.eventWrongState({ states: legalStates(run.definition, event.name) }))
              : roleAdmitted
                ? null
                : context.say(phrase.eventWrongRole({ role: context.actor.role }));
        const transitions = legalHere ? judged : await viewImpossibleEvent(context, snapshot, event.name);
        return {
          event_name: event.name,
          description: event.description,
          ...(event.payload_schema !== undefined && { payload_schema: event.payload_schema }),
          transitions: transitions.map(judgedTransition),
          is_allowed: reason === null,
          blocked_reason: reason,
        };
      }),
    );
    return { run_id: run.id, current_state: run.state, events };
  },
});

function judgedTransition(judged: JudgedTransition) {
  const { transition, verdicts } = judged;
  if (verdicts.length === 0) return { to_state: transition.to, guard_status: 'no_guard' as const };
  const missing = verdicts.filter(({ verdict }) => !verdict.satisfied).map(({ verdict }) => verdict.reason);
  const guard = transition.guards.map(guardName).join(', ');
  if (isSatisfied(judged)) return { to_state: transition.to, guard, guard_status: 'satisfied' as const };
  return { to_state: transition.to, guard, guard_status: 'unsatisfied' as const, missing_requirements: missing };
}
