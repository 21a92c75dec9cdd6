import { instanceOf } from '../../kernel/identity.ts';
import type { Context, Project } from '../../kernel/context.ts';
import type { Query, Row, Write } from '../../kernel/store/store.ts';
import { text } from '../../kernel/store/row.ts';

/** The holder name of one agent instance in one project, shared by all of its connections, hooks and shells. */
export function instanceHolder(instance: { readonly agentId: string; readonly projectId: string }): string {
  return `instance:${instance.agentId}/${instance.projectId}`;
}

export function connectionHolder(connectionId: string): string {
  return `connection:${connectionId}`;
}

/** The holder name of a worktree; empty for the main checkout, whose run is the project's. */
export function treeHolder({ root, tree }: Pick<Project, 'root' | 'tree'>): string {
  return tree === root ? '' : `tree:${tree}`;
}

/** The holder of runs that no person has reviewed. They bind only if no other run does, and never own a tree. */
export function untrustedRunsHolder({ key, root, tree }: Pick<Project, 'key' | 'root' | 'tree'>): string {
  return `guests:${tree === root ? key : tree}`;
}

/** The holder names of a call. The runs of all of them bind together. */
export interface Holders {
  readonly project: Pick<Project, 'key' | 'root' | 'worktreesAlone'>;
  /** Names that hold one run each: the run of the current task. */
  readonly tasks: readonly string[];
  /** Names that may hold several runs: those that the client started, and those that bound its parent process. */
  readonly callers: readonly string[];
  /** The trees that the call comes from or touches, in order of precedence. */
  readonly trees: readonly string[];
}

export function holdersOf(context: Pick<Context, 'connection' | 'settings' | 'project' | 'callers'>): Holders {
  const { connection, callers, project } = context;
  const instance = instanceOf(context);
  return {
    project,
    tasks: [
      ...(instance === undefined ? [] : [instanceHolder(instance)]),
      ...(connection === undefined ? [] : [connectionHolder(connection.id)]),
      ...callers.all,
    ],
    callers: callers.all,
    trees: [project.tree],
  };
}

/** The holder names for a caller that has only its tree. */
export function treeHolders(project: Holders['project'] & Pick<Project, 'tree'>): Holders {
  return { project, tasks: [], callers: [], trees: [project.tree] };
}

/** The reason why a run binds. */
export type Reason = 'task' | 'client' | 'tree' | 'checkout' | 'guest';

/** Reasons in order of precedence: a call without a run id refers to the first run. */
const reasons: readonly Reason[] = ['task', 'client', 'tree', 'checkout', 'guest'];

export interface Binding {
  readonly row: Row;
  readonly reason: Reason;
  /** The trees in which it binds. Paths in rules are relative to them. */
  readonly trees: readonly string[];
}

/** Selects runs (with extra `columns`), one row for each way in which a run is held. `bindingsOf` reads them. */
export function bindingsQuery({ project, tasks, callers, trees }: Holders, columns: string, join = ''): Query {
  const args: Record<string, string> = { project: project.key };
  const oneOf = (prefix: string, names: readonly string[]) => {
    for (const [index, name] of names.entries()) args[`${prefix}${index}`] = name;
    return `in (${names.map((_name, index) => `:${prefix}${index}`).join(', ')})`;
  };
  const worktrees = trees.map((tree) => treeHolder({ ...project, tree })).filter((holder) => holder !== '');
  const held = [
    `select 'checkout' as reason, '' as holder, '' as since, run_id from current_run where project = :project`,
  ];
  if (tasks.length > 0)
    held.push(`union all select 'task', holder, '', run_id from run_holder where holder ${oneOf('task', tasks)}`);
  if (callers.length > 0)
    held.push(`union all select 'client', caller, at, run_id from caller_run where caller ${oneOf('caller', callers)}`);
  if (worktrees.length > 0)
    held.push(`union all select 'tree', holder, '', run_id from run_holder where holder ${oneOf('tree', worktrees)}`);
  const guests = [...new Set([project.root, ...trees])].map((tree) => untrustedRunsHolder({ ...project, tree }));
  held.push(`union all select 'guest', caller, at, run_id from caller_run where caller ${oneOf('guest', guests)}`);
  return {
    sql: `select held.reason as reason, held.holder as holder, held.since as since, run.id as id, run.is_final as is_final${columns}
      from (${held.join(' ')}) as held join run on run.id = held.run_id${join}
      where held.reason not in ('tree', 'guest') or run.project = :project`,
    args,
  };
}

/** Returns each run once, in order of precedence. Final runs are included, but do not bind. */
export function bindingsOf(rows: readonly Row[], holders: Holders): readonly Binding[] {
  const { project, tasks, callers, trees } = holders;
  const places = new Map<string, readonly string[]>();
  const bare = trees.filter((tree) => {
    const holder = treeHolder({ ...project, tree });
    if (holder === '') return true;
    places.set(holder, [tree]);
    places.set(untrustedRunsHolder({ ...project, tree }), [tree]);
    const hasOwn = rows.some((row) => row['holder'] === holder && row['is_final'] !== 1);
    return !hasOwn && !project.worktreesAlone;
  });
  places.set('', bare);
  places.set(untrustedRunsHolder({ ...project, tree: project.root }), bare);
  const order = [...tasks, ...callers, ...places.keys()];
  const rank = (row: Row) =>
    reasons.indexOf(text(row, 'reason') as Reason) * 10_000 + order.indexOf(text(row, 'holder'));
  const found = new Map<string, Binding>();
  const taken = new Set<string>();
  // Among runs that a client started the newest comes first, among guests the oldest.
  const age = (a: Row, b: Row) => (text(a, 'since') < text(b, 'since') ? -1 : 1) * (a['reason'] === 'client' ? -1 : 1);
  for (const row of rows.toSorted((a, b) => rank(a) - rank(b) || age(a, b))) {
    const reason = text(row, 'reason') as Reason;
    const isCallers = reason === 'task' || reason === 'client';
    const around = isCallers ? trees : (places.get(text(row, 'holder')) ?? []);
    // A tree has one run that binds everyone there: its own, otherwise the main checkout's, otherwise the oldest guest.
    const there = reason === 'guest' ? around.filter((tree) => !taken.has(tree)) : around;
    if (!isCallers && row['is_final'] !== 1) for (const tree of there) taken.add(tree);
    const before = found.get(text(row, 'id'));
    if (isCallers || there.length > 0)
      found.set(text(row, 'id'), { row, reason, ...before, trees: [...new Set([...(before?.trees ?? []), ...there])] });
  }
  return [...found.values()];
}

/** Returns the run of a call without a run id: the first open run that binds it, otherwise the first final one. */
export function defaultRunOf(found: readonly Binding[]): string | undefined {
  const spoken = found.find(({ row }) => row['is_final'] !== 1) ?? found[0];
  return spoken && text(spoken.row, 'id');
}

/** Removes all bindings of a run. If it was the project's run, `instead` takes its place. */
export function giveUpWrites(project: string, runId: string, instead: string | undefined): readonly Write[] {
  const args = { project, before: runId };
  return [
    { sql: 'delete from run_holder where run_id = :before', args: { before: runId } },
    { sql: 'delete from caller_run where run_id = :before', args: { before: runId } },
    instead === undefined
      ? { sql: 'delete from current_run where project = :project and run_id = :before', args }
      : {
          sql: 'update current_run set run_id = :run where project = :project and run_id = :before',
          args: { ...args, run: instead },
        },
  ];
}

/** Makes this run the one that binds the holder, replacing the previous one. */
export function holdWrite(holder: string, runId: string): Write {
  return {
    sql: `insert into run_holder (holder, run_id) values (:holder, :run) on conflict (holder) do update set run_id = excluded.run_id`,
    args: { holder, run: runId },
  };
}

/** Adds this run to those that bind the caller, until the caller ends. */
export function bindWrite(caller: string, runId: string, at: string): Write {
  return {
    sql: 'insert into caller_run (caller, run_id, at) values (:caller, :run, :at) on conflict (caller, run_id) do nothing',
    args: { caller, run: runId, at },
  };
}

/** Makes the run its tree's run if none is open there. `instead`: also in a worktree with an open main checkout run. */
export function ownTreeWrite(
  project: Pick<Project, 'key' | 'root' | 'tree'>,
  runId: string,
  { instead }: { readonly instead: boolean },
): Write {
  const holder = treeHolder(project);
  const args = { project: project.key, run: runId };
  if (holder === '')
    return {
      sql: `insert into current_run (project, run_id) values (:project, :run) on conflict (project) do update set run_id = excluded.run_id
        where exists (select 1 from run where run.id = current_run.run_id and run.is_final = 1)`,
      args,
    };
  const free = `not exists (select 1 from current_run join run on run.id = current_run.run_id
    where current_run.project = :project and run.is_final = 0)`;
  return {
    sql: `insert into run_holder (holder, run_id) select :holder, id from run where id = :run and project = :project${instead ? '' : ` and ${free}`}
      on conflict (holder) do update set run_id = excluded.run_id
        where exists (select 1 from run where run.id = run_holder.run_id and run.is_final = 1)`,
    args: { ...args, holder },
  };
}

/** Releases the runs of all connections that another module's query lists in its column `connection`. */
export function letGoConnectionsWrite(connections: Query): Write {
  return {
    sql: `delete from run_holder where holder in (select 'connection:' || named.connection from (${connections.sql}) as named)`,
    args: connections.args,
  };
}

export function letGoWrite(holder: string): Write {
  return { sql: 'delete from run_holder where holder = :holder', args: { holder } };
}

export function callersQuery(): Query {
  return {
    sql: `select caller from caller_run where caller like 'process:%' union select holder from run_holder where holder like 'process:%'`,
    args: {},
  };
}

/** Removes the bindings of a caller that has ended. */
export function endedCallerWrites(caller: string): readonly Write[] {
  return [{ sql: 'delete from caller_run where caller = :caller', args: { caller } }, letGoWrite(caller)];
}
