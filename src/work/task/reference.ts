import { resolve } from 'node:path';
import type { Context } from '../../kernel/context.ts';
import { text } from '../../kernel/store/row.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import { problem } from '../problem.ts';
import { idList, numberIn } from './task.ts';

/** `12`, `#12`, or `name#12` with the name or the id of a project. */
const spelled = /^(?:(?<project>.*)#)?(?<number>[1-9]\d{0,8})$/s;

/** Reports whether a text can be a task's number. */
export function isTaskNumber(given: string): boolean {
  return spelled.test(given);
}

/**
 * Returns the id of a task that is given by its id or its number. A plain number means a task of the project `within`. Without
 * `within` it means the only task with that number, else the one of the project in the caller's folder. A text that matches
 * nothing stays as it is: the operation reports it.
 */
export async function resolveTaskId(context: Context, given: string, within?: string): Promise<string> {
  const { project = '', number } = spelled.exec(given)?.groups ?? {};
  if (number === undefined) return given;
  const [[same] = [], rows = []] = await context.store.read([
    { sql: 'select id from work_task where id = :given', args: { given } },
    numberedQuery([Number(number)]),
  ]);
  if (same !== undefined) return given;
  const named = project === '' ? rows : ofProject(rows, project);
  const chosen = project === '' ? choose(context, named, within) : onlyOne(named);
  if (chosen !== undefined) return text(chosen, 'id');
  if (named.length === 0 || (project === '' && within !== undefined)) return given;
  const spellings = named.map((row) => spell(row, rows));
  throw problem.TASK_AMBIGUOUS({ given, spellings }, { spellings });
}

/** `resolveTaskId` for a list. */
export async function resolveTaskIds(
  context: Context,
  given: readonly string[],
  within?: string,
): Promise<readonly string[]> {
  return Promise.all(given.map((one) => resolveTaskId(context, one, within)));
}

/** What a person types for each task in a command: the number alone where it means this task, else the id. */
export async function typedTasks(
  context: Context,
  tasks: readonly { readonly id: string; readonly number: number | null }[],
): Promise<ReadonlyMap<string, string>> {
  const [rows = []] = await context.store.read([numberedQuery(tasks.flatMap((one) => one.number ?? []))]);
  return new Map(
    tasks.map(({ id, number }) => {
      const chosen = choose(
        context,
        rows.filter((row) => numberIn(row) === number),
      );
      return [id, chosen?.['id'] === id ? String(number) : id];
    }),
  );
}

/** Selects the tasks with these numbers, each with its project. */
function numberedQuery(numbers: readonly number[]): Query {
  const { sql: list, args } = idList([...new Set(numbers)].map(String));
  const values = Object.fromEntries(Object.entries(args).map(([name, value]) => [name, Number(value)]));
  return {
    sql: `select t.id as id, t.number as number, p.id as project_id, p.name as name, p.working_directory as folder
      from work_task t join work_project p on p.id = t.project_id
      where t.number in (${numbers.length === 0 ? 'null' : list}) order by p.ord`,
    args: values,
  };
}

function ofProject(rows: readonly Row[], project: string): readonly Row[] {
  const byId = rows.filter((row) => row['project_id'] === project);
  return byId.length > 0 ? byId : rows.filter((row) => row['name'] === project);
}

function choose({ project }: Context, rows: readonly Row[], within?: string): Row | undefined {
  if (within !== undefined) return rows.find((row) => row['project_id'] === within);
  return onlyOne(rows) ?? onlyOne(rows.filter((row) => resolve(text(row, 'folder')) === project.root));
}

function onlyOne(rows: readonly Row[]): Row | undefined {
  return rows.length === 1 ? rows[0] : undefined;
}

/** `name#12`; with the project's id where its name is not unique or not one word in a shell. */
function spell(row: Row, all: readonly Row[]): string {
  const name = text(row, 'name');
  const isClear = /^[\w.-]+$/.test(name) && ofProject(all, name).length === 1;
  return `${isClear ? name : text(row, 'project_id')}#${numberIn(row)}`;
}
