import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { isProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Entry, Write } from '../../kernel/store/store.ts';
import { text } from '../../kernel/store/row.ts';
import { invalidTextProblem } from '../../kernel/invoke.ts';
import { findInvalidText } from '../../kernel/json-limits.ts';
import { readAgent } from '../session/agents.ts';
import { claimRoot } from '../ports.ts';
import { idInput, idsInput, labelsInput, lineInput, longInput, prioritySchema, statusSchema } from '../shapes.ts';
import { phrase, problem } from '../problem.ts';
import { commitBatch } from './change.ts';
import { checkDrafts } from './drafts.ts';
import { numberProjects, raiseCounter } from './number.ts';
import { planWrites } from './plan.ts';
import { assignWrite, insertProject, projectStatuses } from './projects.ts';
import { startProcess } from './status.ts';
import { idList, isClosed, numberIn } from './task.ts';
import { type NewTask, insertTasks } from './tasks.ts';

/** Far below the largest integer, so that the counter of a project cannot run out. */
const highestNumber = 99_999_999;
const time = z.iso.datetime();
const ProjectLine = z.strictObject({
  type: z.literal('project'),
  project_id: idInput,
  project_name: lineInput,
  working_directory: z.string().min(1),
  status: z.enum(projectStatuses).default('active'),
  auto_start: z.boolean().default(false),
  pool: z.boolean().default(false),
  agents: idsInput.default([]),
  created_at: time.optional(),
  updated_at: time.optional(),
});
const TaskLine = z.strictObject({
  type: z.literal('task'),
  task_id: idInput,
  project_id: idInput,
  number: z.int().min(1).max(highestNumber).nullable().default(null),
  title: lineInput,
  description: longInput.default(''),
  status: statusSchema.default('backlog'),
  priority: prioritySchema.default('medium'),
  assignee_id: z.string().nullable().default(null),
  parent_id: z.string().nullable().default(null),
  depends_on: idsInput.default([]),
  labels: labelsInput.default([]),
  acceptance: z.array(longInput).default([]),
  process_id: z.string().nullable().default(null),
  summary: longInput.nullable().default(null),
  assigned_at: time.nullable().optional(),
  created_at: time.optional(),
  updated_at: time.optional(),
  started_at: time.nullable().optional(),
  completed_at: time.nullable().optional(),
});
const Line = z.discriminatedUnion('type', [ProjectLine, TaskLine]);

interface Numbered<T> {
  readonly number: number;
  readonly line: T;
}

export interface Imported {
  readonly projects: number;
  readonly tasks: number;
  /** Number of lines whose id exists already; these projects and tasks are not changed. */
  readonly skipped: number;
  /** Tasks whose number was taken in their project, with the number that they got instead. */
  readonly renumbered?: readonly { readonly task_id: string; readonly from: number; readonly to: number | null }[];
}

/** Imports all lines or none, in their order, by the rules of `create_task`. Skips ids that exist already. */
export async function importLines(context: Context, content: string): Promise<Imported> {
  const lines = content
    .split('\n')
    .flatMap((raw, index) => (raw.trim() === '' ? [] : [{ number: index + 1, line: parse(context, raw, index + 1) }]));
  refuseRepeated(context, lines);
  await numberProjects(context);
  return retry(
    () => importOnce(context, lines),
    () => problem.PLAN_BUSY(),
  );
}

async function importOnce(
  context: Context,
  lines: readonly Numbered<z.output<typeof Line>>[],
): Promise<Imported | typeof again> {
  const known = await knownIds(context);
  const fresh = lines.filter(({ line }) => !known.has(idOf(line)));
  const projects = fresh.filter((one): one is Numbered<z.output<typeof ProjectLine>> => one.line.type === 'project');
  const tasks = fresh.filter((one): one is Numbered<z.output<typeof TaskLine>> => one.line.type === 'task');
  const at = context.now().toISOString();
  const drafts = await keepFreeNumbers(
    context,
    tasks.map(({ line }) => draftOf(line, at)),
  );
  const numbers = new Map(tasks.map(({ number, line }) => [line.task_id, number]));
  const made = new Map(projects.map(({ line }) => [line.project_id, line.agents]));
  for (const { number, line } of projects)
    for (const agent of line.agents)
      await readAgent(context, agent).catch((error: unknown) => {
        throw atLine(context, number, error);
      });
  const seen = await checkDrafts(context, drafts, (draft, error) => atLine(context, numbers.get(draft.id), error), {
    hasProject: (id) => made.has(id),
    hasMember: (agent, project) => made.get(project)?.includes(agent) === true,
  });
  const runs = await startRuns(context, drafts, (draft, error) => atLine(context, numbers.get(draft.id), error));
  for (const { number, line } of projects) refuseTaken(context, number, line.working_directory);
  const entries = [
    ...projects.map(({ line }) => entry(context, line.project_id, 'project.imported', { name: line.project_name })),
    ...tasks.map(({ line }) =>
      entry(context, line.task_id, 'task.imported', {
        project: line.project_id,
        title: line.title,
        status: line.status,
      }),
    ),
    ...runs.entries,
  ];
  const writes = [
    ...planWrites(...seen),
    ...projects.flatMap(({ line }) => projectWrites(context, line, at)),
    ...raiseCounters(drafts),
    ...runs.writes,
    ...insertTasks(context, runs.drafts),
  ];
  if (!(await commitBatch(context, { writes, entries }))) return again;
  for (const { line } of projects) claimRoot.of(context)(line.working_directory);
  const renumbered = await readRenumbered(context, tasks, drafts);
  return {
    projects: projects.length,
    tasks: tasks.length,
    skipped: lines.length - fresh.length,
    ...(renumbered.length > 0 && { renumbered }),
  };
}

/** Takes the number away from each draft whose number another task of the project has: it gets a new one. */
async function keepFreeNumbers(context: Context, drafts: readonly NewTask[]): Promise<readonly NewTask[]> {
  const { sql: list, args } = idList([...new Set(drafts.map((one) => one.projectId))]);
  const [rows = []] = await context.store.read([
    { sql: `select project_id, number from work_task where project_id in (${list}) and number is not null`, args },
  ]);
  const keyOf = (project: unknown, number: unknown) => JSON.stringify([project, Number(number)]);
  const taken = new Set(rows.map((row) => keyOf(row['project_id'], row['number'])));
  return drafts.map((draft) => {
    const key = keyOf(draft.projectId, draft.number);
    if (draft.number === null || taken.has(key)) return { ...draft, number: null };
    taken.add(key);
    return draft;
  });
}

/** Lets each project's counter go on after the highest number that an imported task keeps. */
function raiseCounters(drafts: readonly NewTask[]): readonly Write[] {
  const highest = new Map<string, number>();
  for (const { projectId, number } of drafts)
    if (number != null) highest.set(projectId, Math.max(number, highest.get(projectId) ?? 0));
  return [...highest]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(([project, number]) => raiseCounter(project, number));
}

async function readRenumbered(
  context: Context,
  tasks: readonly Numbered<z.output<typeof TaskLine>>[],
  drafts: readonly NewTask[],
): Promise<NonNullable<Imported['renumbered']>> {
  const lost = tasks.filter(({ line }, at) => line.number !== null && drafts[at]?.number === null);
  const { sql: list, args } = idList(lost.map(({ line }) => line.task_id));
  const [rows = []] = await context.store.read([
    { sql: `select id, number from work_task where id in (${list})`, args },
  ]);
  const got = new Map(rows.map((row) => [row['id'], numberIn(row)]));
  return lost.map(({ line }) => ({ task_id: line.task_id, from: line.number ?? 0, to: got.get(line.task_id) ?? null }));
}

type At = (draft: NewTask, error: unknown) => unknown;

/** Starts a run for each imported task that is in progress and has a process. */
async function startRuns(context: Context, drafts: readonly NewTask[], at: At) {
  const all: NewTask[] = [];
  const writes: Write[] = [];
  const entries: Entry[] = [];
  for (const draft of drafts) {
    const run =
      draft.status === 'in_progress'
        ? await startProcess(context, draft).catch((error: unknown) => {
            throw at(draft, error);
          })
        : undefined;
    all.push(run === undefined ? draft : { ...draft, runId: run.id });
    if (run === undefined) continue;
    writes.push(...run.writes);
    entries.push(run.entry);
  }
  return { drafts: all, writes, entries };
}

function parse(context: Context, raw: string, number: number): z.output<typeof Line> {
  const bad = (reason: string) => problem.IMPORT_INVALID({ line: number, reason });
  let value: unknown;
  try {
    value = JSON.parse(raw);
  } catch {
    throw bad(context.say(phrase.importNoJson()));
  }
  const invalidText = findInvalidText(value);
  if (invalidText !== undefined) throw bad(invalidTextProblem(invalidText, context).in(context.lang));
  const parsed = Line.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw bad(`${issue?.path.join('.')}: ${issue?.message}`);
}

function refuseRepeated(context: Context, lines: readonly Numbered<z.output<typeof Line>>[]): void {
  const first = new Map<string, number>();
  for (const { number, line } of lines) {
    const id = idOf(line);
    const before = first.get(id);
    if (before !== undefined)
      throw problem.IMPORT_INVALID({ line: number, reason: context.say(phrase.importRepeated({ id, line: before })) });
    first.set(id, number);
  }
}

function atLine(context: Context, line: number | undefined, error: unknown): unknown {
  return isProblem(error) ? problem.IMPORT_INVALID({ line: line ?? 0, reason: error.in(context.lang) }) : error;
}

function idOf(line: z.output<typeof Line>): string {
  return line.type === 'project' ? line.project_id : line.task_id;
}

async function knownIds(context: Context): Promise<ReadonlySet<string>> {
  const tables = ['work_project', 'work_task'];
  const found = await context.store.read(tables.map((table) => ({ sql: `select id from ${table}`, args: {} })));
  return new Set(found.flat().map((row) => text(row, 'id')));
}

function refuseTaken(context: Context, number: number, folder: string): void {
  const database = claimRoot.of(context)(folder, 'look');
  if (database !== undefined) throw atLine(context, number, problem.FOLDER_TAKEN({ folder, database }));
}

function projectWrites(context: Context, line: z.output<typeof ProjectLine>, at: string): readonly Write[] {
  return [
    insertProject({
      id: line.project_id,
      ord: context.newId(''),
      name: line.project_name,
      working_directory: line.working_directory,
      status: line.status,
      auto_start: line.auto_start ? 1 : 0,
      pool: line.pool ? 1 : 0,
      created_at: line.created_at ?? at,
      updated_at: line.updated_at ?? at,
    }),
    ...line.agents.map((agent) => assignWrite(agent, line.project_id, at)),
  ];
}

function draftOf(line: z.output<typeof TaskLine>, at: string): NewTask {
  const isStarted = line.status === 'in_progress' || line.status === 'blocked' || line.status === 'done';
  return {
    id: line.task_id,
    projectId: line.project_id,
    number: line.number,
    title: line.title,
    description: line.description,
    status: line.status,
    priority: line.priority,
    assigneeId: line.assignee_id,
    assignedAt: line.assigned_at ?? (line.assignee_id === null ? null : at),
    parentId: line.parent_id,
    dependsOn: [...new Set(line.depends_on)],
    labels: line.labels,
    acceptance: line.acceptance,
    processId: line.process_id,
    runId: null,
    summary: line.summary,
    createdAt: line.created_at ?? at,
    updatedAt: line.updated_at ?? at,
    startedAt: line.started_at ?? (isStarted ? at : null),
    completedAt: line.completed_at ?? (isClosed(line.status) ? at : null),
  };
}
