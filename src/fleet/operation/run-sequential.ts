import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { groupIdInput, notesSchema, startedSchema, taskInput } from '../shapes.ts';
import { checkGroup, startNotes, submit } from '../plan/submit.ts';
import { problem } from '../problem.ts';
import { described, words } from '../words.ts';

export const runSequential = defineOperation({
  name: 'run_sequential',
  toolsets: ['fleet'],
  effect: 'write',
  summary: words(
    'Run stages of agents one after another; each stage gets the results of earlier stages in its prompt.',
  ),
  example: `--group-id grp-1767225600-1a2b --stages '[{"tasks":[{"role":"impl-code","prompt":"…"}]},{"tasks":[{"role":"code-review","prompt":"…"}]}]'`,
  input: z.strictObject({
    groupId: groupIdInput,
    stages: described(
      z.array(z.strictObject({ tasks: described(z.array(taskInput), 'The agents of this stage, at least one') })),
      'The stages in order, at least one',
    ),
    on_failure: described(
      z.enum(['stop', 'continue']).default('stop'),
      'Whether later stages run after an agent fails',
    ),
  }),
  output: z.object({
    groupId: z.string(),
    totalStages: z.number(),
    currentStageIndex: z.number(),
    stages: z.array(z.object({ stageIndex: z.number(), agentIds: z.array(z.string()) })),
    agents: z.array(startedSchema.extend({ stageIndex: z.number() })),
    total: z.number(),
    notes: notesSchema,
  }),
  async run(context, { groupId, stages, on_failure: onFailure }) {
    if (stages.length === 0) throw problem.EMPTY_STAGES();
    const empty = stages.findIndex((one) => one.tasks.length === 0);
    if (empty >= 0) throw problem.EMPTY_STAGE_TASKS({ stage: empty });
    await checkGroup(context, { groupId, mode: 'sequential' });
    const agents = await submit(context, {
      groupId,
      mode: 'sequential',
      stages: stages.map((one) => one.tasks),
      onFailure,
    });
    return {
      groupId,
      totalStages: stages.length,
      currentStageIndex: 0,
      stages: stages.map((_, stageIndex) => ({
        stageIndex,
        agentIds: agents.filter((one) => one.stageIndex === stageIndex).map((one) => one.agentId),
      })),
      agents: agents.map(({ ownTree: _ownTree, ...one }) => one),
      total: agents.length,
      ...(await startNotes(context, agents)),
    };
  },
});
