import { instanceOf } from '../../kernel/identity.ts';
import type { Context, Project } from '../../kernel/context.ts';
import type { Query, Row, Write } from '../../kernel/store/store.ts';
import { text } from '../../kernel/store/row.ts';

/** One instance of an agent in one project, however many connections, hooks and shells it has. */
export function instanceHolder(instance: { readonly agentId: string; readonly projectId: string }): string {
  return `instance:${instance.agentId}/${instance.projectId}`;
}

export function connectionHolder(connectionId: string): string {
  return `connection:${connectionId}`;
}

/** A worktree that was given a run of its own; empty for a main checkout, whose run is the project's. */
export function treeHolder({ root, tree }: Pick<Project, 'root' | 'tree'>): string {
  return tree === root ? '' : `tree:${tree}`;
}

/** Runs whose definition nobody has looked at: they bind in a tree where no other run does, and take no place. */
export function untrustedRunsHolder({ key, root, tree }: Pick<Project, 'key' | 'root' | 'tree'>): string {
  return `guests:${tree === root ? key : tree}`;
}

/** Under which names a call is bound. All runs that they lead to bind together. */
export interface Holders {
  readonly project: Pick<Project, 'key' | 'root' | 'worktreesAlone'>;
  /** Names that hold one run each: that of the task at hand. */
  readonly tasks: readonly string[];
  /** Names that may hold several: what the client started, and what its starter was bound by. */
  readonly callers: readonly string[];
  /** The trees that the call comes from or touches, the first one first. */
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

/** What binds whoever comes to a tree without anything of their own. */
export function treeHolders(project: Holders['project'] & Pick<Project, 'tree'>): Holders {
  return { project, tasks: [], callers: [], trees: [project.tree] };
}

/** How a run came to bind. */
export type Reason = 'task' | 'client' | 'tree' | 'checkout' | 'guest';

/** In the order in which a call speaks of them. */
const reasons: readonly Reason[] = ['task', 'client', 'tree', 'checkout', 'guest'];

export interface Binding {
  readonly row: Row;
  readonly reason: Reason;
  /** The trees in which it binds: paths of a rule are looked up there. */
  readonly trees: readonly string[];
}

/** Rows of `run` with whatever else `columns` names, one for each way in which a run is held. `bindings` reads them. */
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

/** The runs that were found, each once, in the order in which a call speaks of them. A final one binds nobody. */
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
  // Of several that a client started the newest, of several guests the oldest.
  const age = (a: Row, b: Row) => (text(a, 'since') < text(b, 'since') ? -1 : 1) * (a['reason'] === 'client' ? -1 : 1);
  for (const row of rows.toSorted((a, b) => rank(a) - rank(b) || age(a, b))) {
    const reason = text(row, 'reason') as Reason;
    const isCallers = reason === 'task' || reason === 'client';
    const around = isCallers ? trees : (places.get(text(row, 'holder')) ?? []);
    // A tree has one run that everybody there is bound by: its own, else the main checkout's, else the oldest guest.
    const there = reason === 'guest' ? around.filter((tree) => !taken.has(tree)) : around;
    if (!isCallers && row['is_final'] !== 1) for (const tree of there) taken.add(tree);
    const before = found.get(text(row, 'id'));
    if (isCallers || there.length > 0)
      found.set(text(row, 'id'), { row, reason, ...before, trees: [...new Set([...(before?.trees ?? []), ...there])] });
  }
  return [...found.values()];
}

/** The run that a call speaks of where it names none: the first open one that binds it, else the first that did. */
export function defaultRunOf(found: readonly Binding[]): string | undefined {
  const spoken = found.find(({ row }) => row['is_final'] !== 1) ?? found[0];
  return spoken && text(spoken.row, 'id');
}

/** A run that was given up binds nobody any more; where it was the project's, `instead` is now. */
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

/** From now on this run binds the holder, in place of the one before. */
export function holdWrite(holder: string, runId: string): Write {
  return {
    sql: `insert into run_holder (holder, run_id) values (:holder, :run) on conflict (holder) do update set run_id = excluded.run_id`,
    args: { holder, run: runId },
  };
}

/** From now on this run binds the caller too, until the caller has ended. */
export function bindWrite(caller: string, runId: string, at: string): Write {
  return {
    sql: 'insert into caller_run (caller, run_id, at) values (:caller, :run, :at) on conflict (caller, run_id) do nothing',
    args: { caller, run: runId, at },
  };
}

/** The run becomes its tree's, unless an open one binds there. `instead`: in a worktree, also where the main checkout's does. */
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

/** All connections that a query of another module names, in its column `connection`. */
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

/** A caller that has ended is bound no more. */
export function endedCallerWrites(caller: string): readonly Write[] {
  return [{ sql: 'delete from caller_run where caller = :caller', args: { caller } }, letGoWrite(caller)];
}
