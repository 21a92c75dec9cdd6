import type { Context } from '../../kernel/context.ts';
import { findDefinition } from '../../gate/index.ts';
import { requireMember } from '../session/agents.ts';
import { problem } from '../problem.ts';
import type { SeenPlans } from './plan.ts';
import { readProject } from './projects.ts';
import { checkRelations } from './relations.ts';
import type { NewTask } from './tasks.ts';

/** Projects and members that the same commit creates, so that the store does not have them yet. */
export interface NewParts {
  readonly hasProject: (id: string) => boolean;
  readonly hasMember: (agentId: string, projectId: string) => boolean;
}

const nothingElse: NewParts = { hasProject: () => false, hasMember: () => false };

/**
 * Checks that these tasks can be created together: everything they refer to exists in the store or among them, and their
 * dependencies have no cycle. `at` adds the task to an error.
 */
export async function checkDrafts(
  context: Context,
  drafts: readonly NewTask[],
  at: (draft: NewTask, error: unknown) => unknown = (_, error) => error,
  making: NewParts = nothingElse,
): Promise<readonly SeenPlans[]> {
  const ids = new Set(drafts.map((one) => one.id));
  const outside = (id: string) => !ids.has(id);
  const once = onceEach();
  const seen: SeenPlans[] = [];
  for (const draft of drafts) {
    try {
      const { projectId, assigneeId, processId, parentId } = draft;
      if (!making.hasProject(projectId)) await once(`project ${projectId}`, () => readProject(context, projectId));
      if (assigneeId !== null && !making.hasMember(assigneeId, projectId))
        await once(`member ${assigneeId} ${projectId}`, () => requireMember(context, assigneeId, projectId));
      if (processId !== null) await once(`process ${processId}`, () => findDefinition(context, processId));
      const dependsOn = draft.dependsOn.filter(outside);
      seen.push(
        await checkRelations(context, draft, {
          dependsOn,
          parentId: parentId === null || ids.has(parentId) ? null : parentId,
        }),
      );
    } catch (error) {
      throw at(draft, error);
    }
  }
  const byId = new Map(drafts.map((one) => [one.id, one]));
  refuseCircles(drafts, (one) => one.dependsOn.flatMap((id) => byId.get(id) ?? []), at);
  refuseCircles(drafts, (one) => (one.parentId === null ? [] : (byId.get(one.parentId) ?? [])), at);
  return seen;
}

/** Memoizes checks by name: many tasks refer to the same few things. */
function onceEach(): (name: string, look: () => Promise<unknown>) => Promise<unknown> {
  const looked = new Map<string, Promise<unknown>>();
  return (name, look) => {
    const known = looked.get(name) ?? look();
    looked.set(name, known);
    return known;
  };
}

function refuseCircles(
  drafts: readonly NewTask[],
  others: (one: NewTask) => readonly NewTask[] | NewTask,
  at: (draft: NewTask, error: unknown) => unknown,
): void {
  const state = new Map<NewTask, 'open' | 'closed'>();
  // An explicit stack instead of recursion: a long chain would overflow the call stack.
  for (const start of drafts) {
    const path: { readonly draft: NewTask; readonly rest: NewTask[] }[] = [];
    const enter = (draft: NewTask): void => {
      state.set(draft, 'open');
      path.push({ draft, rest: [others(draft)].flat() });
    };
    if (!state.has(start)) enter(start);
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const next = top.rest.pop();
      if (next === undefined) {
        state.set(top.draft, 'closed');
        path.pop();
      } else if (state.get(next) === 'open')
        throw at(top.draft, problem.DEPENDENCY_CYCLE({ task_id: top.draft.id, other: next.id }));
      else if (!state.has(next)) enter(next);
    }
  }
}
