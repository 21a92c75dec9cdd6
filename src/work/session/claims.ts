import type { Context } from '../../kernel/context.ts';
import { provenAgent } from './acting.ts';
import type { Task } from '../task/task.ts';
import { problem } from '../problem.ts';

/** Throws if a live session works on the task, unless the caller is its authenticated agent or a person. */
export function refuseClaimed(context: Context, task: Task): void {
  if (task.claim === undefined || context.actor.person || task.claim.agentId === provenAgent(context)) return;
  throw problem.TASK_CLAIMED(
    { task_id: task.id, agent_id: task.claim.agentId },
    { claimed_by: task.claim.agentId, claimed_until: task.claim.until },
  );
}
