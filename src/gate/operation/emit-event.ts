import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { emit } from '../run/emit.ts';
import { resolveRunId } from '../run/runs.ts';
import { emitAnswerSchema, runIdInput } from '../shapes.ts';
import { described, words } from '../words.ts';

export const emitEvent = defineOperation({
  name: 'state_gate.emit_event',
  toolsets: ['gate'],
  effect: 'write',
  idempotent: true,
  summary: words('Submit an event with its evidence (payload, files). The gate decides the transition.'),
  example: '--event-name submit_plan --expected-revision 0 --idempotency-key plan-1 --artifact-paths docs/plan.md',
  input: z.strictObject({
    run_id: runIdInput,
    event_name: described(z.string(), 'One of allowed_events of get_state'),
    payload: described(z.record(z.string(), z.unknown()).optional(), 'Data as the event’s payload_schema requires it'),
    expected_revision: described(z.int().min(0), 'The revision that get_state returned'),
    idempotency_key: described(
      z.string().min(1).max(500),
      'A new unique key for every new request; the same one to repeat a request',
    ),
    artifact_paths: described(z.array(z.string().min(1)).max(1000).optional(), 'Project files to submit as evidence'),
  }),
  output: emitAnswerSchema,
  // A transition back to the same state is a success; only missing guards mean failure.
  fellShort: ({ result }) => (result.missing_guards ?? []).length > 0,
  async run(context, input) {
    const runId = await resolveRunId(context, input.run_id);
    return emit(context, {
      runId,
      event: input.event_name,
      payload: input.payload ?? {},
      expectedRevision: input.expected_revision,
      key: input.idempotency_key,
      paths: input.artifact_paths ?? [],
    });
  },
});
