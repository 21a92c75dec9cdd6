import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { text } from '../../kernel/store/row.ts';
import type { Write } from '../../kernel/store/store.ts';

/** The part of a new task that decides its number. */
interface Unnumbered {
  readonly projectId: string;
  readonly number?: number | null;
}

/** SQL for the number of a new task of `:project`, `:later` numbers before the last one that this commit takes. */
export const numberFromCounter = '(select last_number - :later from work_project where id = :project)';

/**
 * Takes the next numbers for the tasks that bring none. The counter only grows, so the number of a deleted task is never given
 * to another one. Sorted by project, so that two commits cannot deadlock.
 */
export function takeNumbers<T extends Unnumbered>(tasks: readonly T[]) {
  const wanting = new Map<string, T[]>();
  for (const one of tasks.filter(({ number }) => number == null))
    wanting
      .set(one.projectId, wanting.get(one.projectId) ?? [])
      .get(one.projectId)
      ?.push(one);
  const places = new Map([...wanting.values()].flatMap((all) => all.map((one, at) => [one, all.length - 1 - at])));
  return {
    writes: [...wanting]
      .toSorted(([one], [other]) => (one < other ? -1 : 1))
      .map(([project, all]): Write => ({
        sql: 'update work_project set last_number = last_number + :count where id = :project and last_number is not null',
        args: { project, count: all.length },
        rows: 1,
      })),
    later: (task: T): number => places.get(task) ?? 0,
  };
}

/** Lets the counter of a project begin after a number that an imported task keeps. */
export function raiseCounter(project: string, number: number): Write {
  return {
    sql: 'update work_project set last_number = :number where id = :project and last_number < :number',
    args: { project, number },
  };
}

/**
 * Numbers the tasks of every project that an older version has made, one commit per project. A server does it when it starts,
 * and each creation of tasks before it takes numbers.
 */
export async function numberProjects(context: Context): Promise<void> {
  const [rows = []] = await context.store.read([
    { sql: 'select id from work_project where last_number is null order by id', args: {} },
  ]);
  for (const row of rows) {
    const id = text(row, 'id');
    // After a conflict there is nothing left to do: another commit has numbered them.
    await context.store.commit(numberWrites(id), [entry(context, id, 'project.numbered', {})]);
  }
}

/** The counter comes first: a commit that creates a task waits for it. */
function numberWrites(project: string): readonly Write[] {
  return [
    {
      sql: `update work_project set last_number = (select count(*) from work_task where project_id = :project)
        where id = :project and last_number is null`,
      args: { project },
      rows: 1,
    },
    {
      sql: `update work_task set number = (select o.place from (select id, row_number() over (order by ord) as place
          from work_task where project_id = :project) o where o.id = work_task.id)
        where project_id = :project and number is null`,
      args: { project },
    },
  ];
}
