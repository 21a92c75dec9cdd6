import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import type { Row } from '../../kernel/store/store.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { actAs } from '../session/acting.ts';
import { requireMember } from '../session/agents.ts';
import { handoffRecord } from '../task/handoffs.ts';
import { enterTaskWrites, liveSession } from '../task/my-task.ts';
import { agentIdInput, handoffSchema, success, taskSchema } from '../shapes.ts';
import { moveTask, openDependencies } from '../task/status.ts';
import { taskRecord } from '../task/task.ts';
import { changeTask } from '../task/change.ts';
import type { Change } from '../task/tasks.ts';
import { phrase, problem } from '../problem.ts';
import { described, words } from '../words.ts';

export const acceptHandoff = defineOperation({
  name: 'accept_handoff',
  toolsets: ['work'],
  effect: 'write',
  summary: words('Accept a hand-off. The task is then assigned to the accepting agent.'),
  example: '--handoff-id hnd_… --agent-id agt_b',
  input: z.strictObject({ handoff_id: described(z.string(), 'Which hand-off'), agent_id: agentIdInput }),
  output: z.object({ success, handoff: handoffSchema, task: taskSchema, instruction: z.string() }),
  async run(given, input) {
    const context = await actAs(given, input.agent_id);
    const { handoff_id: id, agent_id: agentId } = input;
    const found = await readHandoff(context, id);
    const at = context.now().toISOString();
    const task = await changeTask(context, text(found, 'task_id'), async (current) => {
      const handoff = await readHandoff(context, id);
      const to = optional(handoff, 'to_agent_id');
      if (to !== null && to !== agentId) throw problem.HANDOFF_NOT_YOURS({ handoff_id: id, agent_id: agentId });
      // The task must still be assigned to the giver, or to no agent.
      const isTheirs = current.assigneeId === null || current.assigneeId === text(handoff, 'from_agent_id');
      if (handoff['status'] !== 'pending' || !isTheirs)
        throw problem.HANDOFF_CLOSED({ handoff_id: id, by: optional(handoff, 'accepted_by') ?? undefined });
      await requireMember(context, agentId, current.projectId);
      const session = await liveSession(context, agentId, current.projectId);
      const waits = current.status === 'todo' || current.status === 'blocked';
      const starts = waits && (await openDependencies(context, current)).length === 0;
      const change: Change = starts ? await moveTask(context, current, { to: 'in_progress' }) : { fields: {} };
      const entered = session === undefined ? undefined : await enterTaskWrites(context, session, current, change);
      return {
        ...change,
        fields: { ...change.fields, assigneeId: agentId, session: session?.hash ?? null },
        writes: [
          {
            sql: `update work_handoff set status = 'accepted', accepted_by = :agent, accepted_at = :at where id = :id and status = 'pending'`,
            args: { id, agent: agentId, at },
            rows: 1,
          },
          ...(change.writes ?? []),
          ...(entered?.writes ?? []),
        ],
        entries: [
          ...(change.entries ?? []),
          ...(entered?.entries ?? []),
          entry(context, id, 'handoff.accepted', { task: current.id, by: agentId }),
        ],
        note: { handoff: id },
      };
    });
    return {
      success: true as const,
      handoff: handoffRecord(await readHandoff(context, id)),
      task: taskRecord(task),
      instruction: context.say(phrase.instructionAccepted()),
    };
  },
});

async function readHandoff(context: Context, id: string): Promise<Row> {
  const [[row] = []] = await context.store.read([{ sql: 'select * from work_handoff where id = :id', args: { id } }]);
  if (row === undefined) throw problem.HANDOFF_NOT_FOUND({ handoff_id: id });
  return row;
}
