import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { decodeCursor, encodeCursor } from '../../kernel/page.ts';
import { limitInput } from '../../kernel/page-input.ts';
import { findPhase } from '../plan/plan.ts';
import { inProject } from '../plan/project.ts';
import { cursorInput, projectPathInput } from '../shapes.ts';
import { readCheckpoints, readPhase } from '../plan/state.ts';

const data = z.record(z.string(), z.unknown());

export const getPhaseContext = defineOperation({
  name: 'get_phase_context',
  toolsets: ['phase'],
  // The first who asks starts the run of the phases.
  effect: 'write',
  idempotent: true,
  summary: 'Where a phase stands: status, times, its latest result, output files and checkpoints.',
  example: '--phase phase0',
  input: z.strictObject({
    phase: z.string().describe('Which phase'),
    includeResults: z.boolean().default(true).describe('Also its latest result and its checkpoints'),
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
      checkpoints: z
        .array(z.object({ checkpoint: z.string(), data, savedAt: z.string() }))
        .readonly()
        .optional()
        .describe('The newest last'),
    }),
    nextCursor: z.string().optional().describe('Of the checkpoints before these'),
  }),
  async run(context, input) {
    findPhase(context, input.phase);
    const here = inProject(context, input.projectPath);
    const { record, standing } = await readPhase(here, input.phase);
    if (!input.includeResults) return { context: { ...record, result: null } };
    const before = Number(decodeCursor(input.cursor) ?? Number.MAX_SAFE_INTEGER);
    const { checkpoints, older } = await readCheckpoints(
      here,
      standing.runId,
      input.phase,
      Number.isSafeInteger(before) ? before : Number.MAX_SAFE_INTEGER,
      input.limit,
    );
    return {
      context: { ...record, checkpoints },
      ...(older !== undefined && { nextCursor: encodeCursor(String(older)) }),
    };
  },
  present: (output) => ({ text: JSON.stringify(output.context), beside: { context: output.context } }),
});
