import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { actAs, refuseClaimed } from '../session/acting.ts';
import { readAgent, requireMember } from '../session/agents.ts';
import { handoffRecord, withdrawHandoffs } from '../task/handoffs.ts';
import { agentIdInput, handoffSchema, longInput, success, taskIdInput } from '../shapes.ts';
import { isClosed } from '../task/task.ts';
import { changeTask } from '../task/change.ts';
import { phrase, problem } from '../problem.ts';
import { rule } from '../../kernel/text/rule.ts';
import { resolveTaskId } from '../task/reference.ts';
import { described, words } from '../words.ts';

export const createHandoff = defineOperation({
  name: 'create_handoff',
  toolsets: ['work'],
  effect: 'write',
  summary: words(
    'Hand a task over to another agent, or to any agent. The task is reassigned when an agent accepts it.',
  ),
  example: '--task-id tsk_… --from-agent-id agt_a --to-agent-id agt_b --summary "Needs UI tests"',
  input: z.strictObject({
    task_id: taskIdInput,
    from_agent_id: described(z.string(), 'The agent that hands it over'),
    to_agent_id: described(agentIdInput.optional(), 'The agent that continues; if omitted, any agent can accept'),
    summary: described(longInput.regex(/\S/, rule(words('must not be empty'))), 'What was done and what remains'),
    context: described(longInput.optional(), 'What the next agent must know'),
    recommendations: described(longInput.optional(), 'What to do next'),
  }),
  output: z.object({ success, handoff_id: z.string(), handoff: handoffSchema, instruction: z.string() }),
  async run(given, input) {
    const context = await actAs(given, input.from_agent_id);
    await readAgent(context, input.from_agent_id);
    if (input.to_agent_id === input.from_agent_id) throw problem.HANDOFF_TO_SELF({ agent_id: input.from_agent_id });
    const row = {
      id: context.newId('hnd_'),
      task_id: await resolveTaskId(context, input.task_id),
      from_agent_id: input.from_agent_id,
      to_agent_id: input.to_agent_id ?? null,
      summary: input.summary,
      context: input.context ?? null,
      recommendations: input.recommendations ?? null,
      status: 'pending',
      created_at: context.now().toISOString(),
    };
    const task = await changeTask(context, row.task_id, async (current) => {
      if (isClosed(current.status)) throw problem.TASK_CLOSED({ task_id: current.id, status: current.status });
      if (current.assigneeId !== null && current.assigneeId !== input.from_agent_id)
        throw problem.TASK_NOT_YOURS({
          task_id: current.id,
          agent_id: input.from_agent_id,
          assignee_id: current.assigneeId,
        });
      refuseClaimed(context, current);
      if (current.assigneeId === null) await requireMember(context, input.from_agent_id, current.projectId);
      if (input.to_agent_id !== undefined) await requireMember(context, input.to_agent_id, current.projectId);
      return {
        fields: {},
        writes: [
          // Only the newest stays pending: otherwise two hand-offs could both be accepted.
          withdrawHandoffs(current.id),
          {
            sql: `insert into work_handoff (id, task_id, project_id, from_agent_id, to_agent_id, summary, context, recommendations, status, created_at)
              values (:id, :task_id, :project, :from_agent_id, :to_agent_id, :summary, :context, :recommendations, :status, :created_at)`,
            args: { ...row, project: current.projectId },
            rows: 1,
          },
        ],
        entries: [
          entry(context, row.id, 'handoff.created', { task: current.id, from: row.from_agent_id, to: row.to_agent_id }),
        ],
        note: { handoff: row.id, to: row.to_agent_id },
      };
    });
    return {
      success: true as const,
      handoff_id: row.id,
      handoff: handoffRecord({ ...row, project_id: task.projectId, accepted_by: null, accepted_at: null }),
      instruction: context.say(phrase.instructionHandedOff({ to: input.to_agent_id })),
    };
  },
});
