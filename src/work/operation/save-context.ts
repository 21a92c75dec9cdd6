import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { actAsSelf, refuseClaimed } from '../session/acting.ts';
import { contextRecord, latestContextQuery, saveContext as save } from '../task/contexts.ts';
import { contextSchema, longInput, success, taskIdInput } from '../shapes.ts';
import { readTask, sameHolderWrite } from '../task/tasks.ts';
import { problem } from '../problem.ts';
import { resolveTaskId } from '../task/reference.ts';
import { described, words } from '../words.ts';

export const saveContext = defineOperation({
  name: 'save_context',
  toolsets: ['work'],
  effect: 'write',
  summary: words('Save the progress of a task for the agent that continues it. Omitted fields keep their value.'),
  example: '--task-id tsk_… --progress "Half of the forms" --next-steps "The other half"',
  input: z.strictObject({
    task_id: taskIdInput,
    progress: described(longInput.optional(), 'What is finished so far'),
    findings: described(longInput.optional(), 'Findings so far'),
    blockers: described(longInput.optional(), 'What blocks the task'),
    next_steps: described(longInput.optional(), 'What comes next'),
  }),
  output: z.object({ success, context: contextSchema }),
  async run(given, input) {
    const context = await actAsSelf(given);
    const id = await resolveTaskId(context, input.task_id);
    const saved = await retry(
      async () => {
        const task = await readTask(context, id);
        refuseClaimed(context, task);
        const [[before] = []] = await context.store.read([latestContextQuery(task.id)]);
        const { write, entry } = save(context, task.id, before, input);
        const { task: _task, version: _version, ...row } = write.args;
        return (await context.store.commit([sameHolderWrite(task), write], [entry])).done
          ? { ...row, task_id: task.id }
          : again;
      },
      async () => {
        const { revision } = await readTask(context, id);
        return problem.TASK_CONFLICT({ task_id: id, expected: undefined, current: revision });
      },
    );
    return { success: true as const, context: contextRecord(saved) };
  },
});
