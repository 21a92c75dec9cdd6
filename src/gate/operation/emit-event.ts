import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { emit } from '../run/emit.ts';
import { resolveRunId } from '../run/runs.ts';
import { runIdInput } from '../shapes.ts';
import { told } from '../../kernel/text/described.ts';

export const emitEvent = defineOperation({
  name: 'state_gate.emit_event',
  toolsets: ['gate'],
  effect: 'write',
  idempotent: true,
  summary: {
    en: 'Submit an event with its evidence (payload, files). The gate decides the transition.',
    ja: '証拠 (ペイロード、ファイル) を付けてイベントを送ります。遷移するかどうかはゲートが決めます。',
  },
  example: '--event-name submit_plan --expected-revision 0 --idempotency-key plan-1 --artifact-paths docs/plan.md',
  input: z.strictObject({
    run_id: runIdInput,
    event_name: told(z.string(), {
      en: 'One of allowed_events of get_state',
      ja: 'get_state の allowed_events のいずれか',
    }),
    payload: told(z.record(z.string(), z.unknown()).optional(), {
      en: 'What the event’s payload_schema asks for',
      ja: 'イベントの payload_schema が求める内容',
    }),
    expected_revision: told(z.int().min(0), {
      en: 'The revision that get_state returned',
      ja: 'get_state が返したリビジョン',
    }),
    idempotency_key: told(z.string().min(1).max(500), {
      en: 'A new unique key for every new request; the same one to repeat a request',
      ja: '新しい要求ごとに新しいキー。同じ要求を繰り返すときは同じキー',
    }),
    artifact_paths: told(z.array(z.string().min(1)).max(1000).optional(), {
      en: 'Files of the project that are evidence',
      ja: '証拠にするプロジェクトのファイル',
    }),
  }),
  output: z.object({
    success: z.literal(true),
    result: z.object({
      event_id: z.string(),
      accepted: z.literal(true),
      transition: z.object({ from_state: z.string(), to_state: z.string() }),
      new_revision: z.number(),
      new_state_prompt: z.string().nullable(),
      is_final: z.boolean(),
      moved: told(z.boolean(), {
        en: 'False where the run stays in its state',
        ja: 'false は run の状態が変わらなかったことを示します',
      }),
      missing_guards: told(z.array(z.string()).readonly().optional(), {
        en: 'What is missing where nothing moved',
        ja: '進めなかった場合に不足しているもの',
      }),
      waits_for_person: told(z.string().optional(), {
        en: 'What a person has to do now, and with which command',
        ja: '今、人がすべきことと、使うコマンド',
      }),
      ignored_keys: told(
        z
          .array(z.object({ key: z.string(), reason: z.string() }))
          .readonly()
          .optional(),
        { en: 'Keys of the payload that did not enter the context', ja: 'コンテキストに入らなかったペイロードのキー' },
      ),
    }),
    warnings: told(z.array(z.string()).readonly().optional(), {
      en: 'What keeps the gate from being whole',
      ja: 'ゲートが完全でない理由',
    }),
    replayed: z.literal(true).optional(),
    code: z.literal('IDEMPOTENT_REPLAY').optional(),
  }),
  // A transition that leads back to its own state is what was asked for.
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
