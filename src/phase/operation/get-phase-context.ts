import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { decodePosition, encodeCursor } from '../../kernel/store/page.ts';
import { limitInput } from '../../kernel/store/page-input.ts';
import { findPhase } from '../plan/plan.ts';
import { contextOfProject } from '../plan/project.ts';
import { cursorInput, projectPathInput } from '../shapes.ts';
import { readCheckpoints, readPhase } from '../plan/state.ts';
import { described, words } from '../words.ts';

const data = z.record(z.string(), z.unknown());

export const getPhaseContext = defineOperation({
  name: 'get_phase_context',
  toolsets: ['phase'],
  // The first call starts the run of the phases.
  effect: 'write',
  idempotent: true,
  summary: words('The progress of a phase: status, times, latest result, output files and checkpoints.'),
  example: '--phase phase0',
  input: z.strictObject({
    phase: described(z.string(), 'Which phase'),
    includeResults: described(z.boolean().default(true), 'Include the latest result and the checkpoints'),
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
      checkpoints: described(
        z
          .array(z.looseObject({ checkpoint: z.string(), data, savedAt: z.string() }))
          .readonly()
          .optional(),
        'Newest last',
      ),
    }),
    nextCursor: described(z.string().optional(), 'Cursor for earlier checkpoints'),
  }),
  async run(context, input) {
    findPhase(context, input.phase);
    const here = contextOfProject(context, input.projectPath);
    const { record, standing } = await readPhase(here, input.phase);
    if (!input.includeResults) return { context: { ...record, result: null } };
    const before = decodePosition(input.cursor) ?? Number.MAX_SAFE_INTEGER;
    const { checkpoints, older } = await readCheckpoints(here, standing.runId, input.phase, before, input.limit);
    return {
      context: { ...record, checkpoints },
      ...(older !== undefined && { nextCursor: encodeCursor(String(older)) }),
    };
  },
  present: (output) => ({ text: JSON.stringify(output.context), beside: { context: output.context } }),
});
