import type { Context } from '../../kernel/context.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import { text } from '../../kernel/store/row.ts';
import { problem } from '../problem.ts';
import { type SeenPlans, noPlans } from './plan.ts';
import { idList } from './task.ts';

export interface Relations {
  readonly dependsOn: readonly string[];
  readonly parentId: string | null;
}

const steps = {
  dependency: 'select above.root, d.depends_on from work_dependency d join above on d.task_id = above.id',
  parent: 'select above.root, t.parent_id from work_task t join above on t.id = above.id where t.parent_id is not null',
};

/**
 * Checks that the given dependencies and the parent exist and that they form no cycle with the task. Returns the plans that
 * were read: the commit must check that they have not changed.
 */
export async function checkRelations(
  context: Context,
  task: { readonly id: string; readonly projectId: string },
  { dependsOn, parentId }: Relations,
): Promise<SeenPlans> {
  const parents = parentId === null ? [] : [parentId];
  if (dependsOn.length + parents.length === 0) return noPlans;
  const [own = [], after = [], within = []] = await context.store.read([
    { sql: 'select id as project_id, plan from work_project where id = :id', args: { id: task.projectId } },
    ancestorsQuery(dependsOn, 'dependency'),
    ancestorsQuery(parents, 'parent'),
  ]);
  const check = (rows: readonly Row[], named: readonly string[]) => {
    const missing = named.find((id) => !rows.some((row) => row['id'] === id));
    if (missing !== undefined) throw problem.TASK_NOT_FOUND({ task_id: missing });
    const cycle = rows.find((row) => row['id'] === task.id);
    if (cycle !== undefined) throw problem.DEPENDENCY_CYCLE({ task_id: task.id, other: text(cycle, 'root') });
  };
  check(after, dependsOn);
  check(within, parents);
  return new Map([...own, ...after, ...within].map((row) => [text(row, 'project_id'), Number(row['plan'])]));
}

/** Selects the given tasks and all their ancestors (dependencies or parents), each with its project. */
function ancestorsQuery(named: readonly string[], kind: keyof typeof steps): Query {
  const { sql: list, args } = idList(named);
  return {
    sql: `with recursive above (root, id) as (
        select t.id, t.id from work_task t where t.id in (${list}) union ${steps[kind]})
      select above.root as root, t.id as id, t.project_id as project_id, p.plan as plan
      from above join work_task t on t.id = above.id join work_project p on p.id = t.project_id`,
    args,
  };
}
