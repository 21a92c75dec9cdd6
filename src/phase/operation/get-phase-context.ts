import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { decodePosition, encodeCursor } from '../../kernel/store/page.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { findPhase } from '../plan/plan.ts';
import { inProject } from '../plan/project.ts';
import { cursorInput, projectPathInput } from '../shapes.ts';
import { readCheckpoints, readPhase } from '../plan/state.ts';
import { told } from '../../kernel/text/described.ts';

const data = z.record(z.string(), z.unknown());

export const getPhaseContext = defineOperation({
  name: 'get_phase_context',
  toolsets: ['phase'],
  // The first who asks starts the run of the phases.
  effect: 'write',
  idempotent: true,
  summary: {
    en: 'Where a phase stands: status, times, its latest result, output files and checkpoints.',
    ja: 'フェーズの現在地です。状態、時刻、最新の結果、出力ファイル、チェックポイントを返します。',
  },
  example: '--phase phase0',
  input: z.strictObject({
    phase: told(z.string(), { en: 'Which phase', ja: 'フェーズの ID' }),
    includeResults: told(z.boolean().default(true), {
      en: 'Also its latest result and its checkpoints',
      ja: '最新の結果とチェックポイントも含める',
    }),
    projectPath: projectPathInput,
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({
    context: z.object({
      phase: z.string(),
      status: z.enum(['pending', 'in_progress', 'completed', 'failed']),
      startedAt: z.string().nullable(),
      completedAt: z.string().nullable(),
      result: data.nullable(),
      outputFiles: z.array(z.string()).readonly(),
      checkpoints: told(
        z
          .array(z.looseObject({ checkpoint: z.string(), data, savedAt: z.string() }))
          .readonly()
          .optional(),
        { en: 'The newest last', ja: '新しいものが最後' },
      ),
    }),
    nextCursor: told(z.string().optional(), {
      en: 'Of the checkpoints before these',
      ja: 'これらより前のチェックポイント',
    }),
  }),
  async run(context, input) {
    findPhase(context, input.phase);
    const here = inProject(context, input.projectPath);
    const { record, standing } = await readPhase(here, input.phase);
    if (!input.includeResults) return { context: { ...record, result: null } };
    const { checkpoints, older } = await readCheckpoints(
      here,
      standing.runId,
      input.phase,
      decodePosition(input.cursor) ?? Number.MAX_SAFE_INTEGER,
      input.limit,
    );
    return {
      context: { ...record, checkpoints },
      ...(older !== undefined && { nextCursor: encodeCursor(String(older)) }),
    };
  },
  present: (output) => ({ text: JSON.stringify(output.context), beside: { context: output.context } }),
});
