import {
  type Change,
  type StagedCommit,
  changeRecord,
  changeSettings,
  changesQuery,
  discardWrites,
  emptyTaskChangesQuery,
  folderIn,
  keptFiles,
  planChange,
  removeTree,
  stageAttempt,
  taskOwner,
  toChange,
} from '../../change/index.ts';
import { findGuardedRun, workingPapersOf } from '../../gate/index.ts';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { thisMachine } from '../../machine/this-machine.ts';
import { filesNotWrittenByAgentsPort } from '../../sandbox/port.ts';
import type { WorkSession } from '../session/sessions.ts';
import { findProject } from './projects.ts';
import { type Task, isClosed, taskRecord } from './task.ts';
import { findTask } from './tasks.ts';

/** The change of a task, with its tree; undefined if nobody has worked on it in a tree of its own. */
export async function findTaskChange(context: Pick<Context, 'store'>, taskId: string): Promise<Change | undefined> {
  const [[row] = []] = await context.store.read([changesQuery([taskOwner(taskId)])]);
  return row && toChange(row);
}

/** Tasks as tools return them, each with its change. */
export async function taskRecords(context: Pick<Context, 'store'>, tasks: readonly Task[]) {
  const [rows = []] = await context.store.read([changesQuery(tasks.map(({ id }) => taskOwner(id)))]);
  const changes = new Map(rows.map(toChange).map((one) => [one.owner, one]));
  return tasks.map((task) => {
    const change = changes.get(taskOwner(task.id));
    return { ...taskRecord(task), ...(change !== undefined && { change: changeRecord(change) }) };
  });
}

/** Removes the trees of closed tasks in which nothing was made. */
export async function removeEmptyTrees(context: Context): Promise<void> {
  const [rows = []] = await context.store.read([emptyTaskChangesQuery(thisMachine())]);
  for (const change of rows.map(toChange)) {
    const task = await findTask(context, change.owner.slice(taskOwner('').length));
    if (task !== undefined && (!isClosed(task.status) || (await isClaimed(context, task.id)))) continue;
    removeTree(change);
    const { writes, forget } = discardWrites(context, change);
    const gone = entry(context, change.id, 'change.empty', { owner: change.owner });
    if ((await context.store.commit(writes, [gone])).done) await forget();
  }
}

async function isClaimed(context: Context, taskId: string): Promise<boolean> {
  const [rows = []] = await context.store.read([
    {
      sql: 'select 1 as one from work_assignment where claim_task = :task and claim_expires_at > :now',
      args: { task: taskId, now: context.now().toISOString() },
    },
  ]);
  return rows.length > 0;
}

/** The folder in which a task is worked on: in its tree, or in the project's folder. */
export function folderOfTask(change: Change | undefined, folder: string): string {
  return change === undefined ? folder : folderIn(change, folder);
}

/**
 * Finds or plans the tree in which an instance works on a task; undefined if it works in the project's folder. It also
 * gets a tree of its own while a run of somebody else compares the files of that folder. Throws a `TreeRefusal`.
 */
export async function planTaskTree(
  context: Context,
  task: Task,
  isolation: 'none' | 'worktree',
): Promise<Pick<Awaited<ReturnType<typeof planChange>>, 'change' | 'writes' | 'entries'> | undefined> {
  const found = await findTaskChange(context, task.id);
  if (found !== undefined) return { change: found, writes: [], entries: [] };
  if (isolation === 'none') {
    const guarded = await findGuardedRun(context);
    if (guarded === undefined || guarded === task.runId) return undefined;
  }
  const project = await findProject(context, task.projectId);
  const names = [nameOf(task, project === undefined ? '' : text(project, 'name')), task.id] as const;
  const folder = context.project.tree;
  return planChange(context, { owner: taskOwner(task.id), round: 1, title: task.title, folder, names });
}

/** `web-12-fix-the-login`: the project, the number and the title, as far as a branch can have them. */
function nameOf({ id, number, title }: Task, project: string): string {
  return number === null ? id : [slugOf(project), String(number), slugOf(title)].filter((one) => one !== '').join('-');
}

function slugOf(name: string): string {
  const plain = name.normalize('NFKD').toLowerCase();
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
    .replaceAll(/^-+|-+$/g, '');
}

/** Records the files of a task's tree as its agent reports; undefined if it does not work in one here. */
export async function stageReportOf(
  context: Context,
  session: WorkSession,
  task: Task | undefined,
): Promise<StagedCommit | undefined> {
  if (task === undefined || session.claim === null) return undefined;
  const change = await findTaskChange(context, task.id);
  const agent = await claimedAgent(context, session.claim);
  if (change === undefined || agent === undefined || change.machine !== thisMachine()) return undefined;
  const { copy, link } = changeSettings.of(context).worktree;
  const { root } = context.project;
  const papers = task.runId === null ? [] : await workingPapersOf(context, task.runId);
  const notWritten = await filesNotWrittenByAgentsPort.of(context)();
  return stageAttempt(context, change, {
    agent,
    author: session.agentId,
    task: task.id,
    run: task.runId,
    reported: true,
    kept: keptFiles(change, root, notWritten, [...copy, ...link, ...papers]),
  });
}

async function claimedAgent(context: Context, claim: string): Promise<string | undefined> {
  const [[row] = []] = await context.store.read([
    { sql: 'select claim_agent from work_assignment where claim = :claim', args: { claim } },
  ]);
  return (row && optional(row, 'claim_agent')) ?? undefined;
}
