import type { Context } from '../../kernel/context.ts';
import { text } from '../../kernel/store/row.ts';
import { isRunning, pairQuery } from '../session/pairs.ts';
import { type NextTask, findNextTask } from '../task/next-task.ts';

/** What an instance of the pair would work on; undefined if the pair runs already or may not run. Claims nothing. */
export async function findStart(
  context: Context,
  agentId: string,
  projectId: string,
): Promise<(NextTask & { readonly aiType: string }) | undefined> {
  const [[pair] = []] = await context.store.read([pairQuery(agentId, projectId)]);
  if (pair === undefined || isRunning(pair, context.now().toISOString())) return undefined;
  return { ...(await findNextTask(context, agentId, projectId)), aiType: text(pair, 'ai_type') };
}
