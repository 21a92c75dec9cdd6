import type { Context, Project } from '../../kernel/context.ts';
import type { Query, Row } from '../../kernel/store/store.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { knownDefinition, parseDefinition } from '../definition/cache.ts';
import type { Definition } from '../definition/definition.ts';
import { type DigestedFile, type HeldApproval, approvingEvents } from '../approval/approval.ts';
import type { Artifact } from '../guard.ts';
import { checkoutOf } from './checkout.ts';
import { bindingsOf, bindingsQuery, holdersOf, defaultRunOf, treeHolders } from './holder.ts';
import type { Position } from './machine.ts';
import { isAgentId } from './approver.ts';
import { type RunAbort, type RunStatus, readAbort, runStatusOf } from './status.ts';
import { treeOf, unplaced } from './tree.ts';
import { problem } from '../problem.ts';

export interface Run extends Position {
  readonly id: string;
  readonly processId: string;
  readonly processVersion: string;
  /** Digest of the definition it started with. */
  readonly digest: string;
  readonly definition: Definition;
  /** The folder in which its evidence is looked up. */
  readonly tree: string;
  /** False if the run's files are on another machine or in another clone, or if it has no tree yet. */
  readonly here: boolean;
  /** False until the run has a tree; see `placeRun`. */
  readonly placed: boolean;
  readonly status: RunStatus;
  readonly aborted: RunAbort | null;
  readonly createdAt: string;
  readonly updatedAt: string;
}

export interface HeldArtifact extends Artifact {
  /** The submitter's identity; see `approverId`. */
  readonly actor: string;
}

export interface Snapshot {
  readonly run: Run;
  readonly artifacts: readonly HeldArtifact[];
  /** Approvals since the state was entered, each for the evidence of its time. */
  readonly approvals: readonly HeldApproval[];
  /** The event that already used the idempotency key. */
  readonly past: { readonly request: string; readonly answer: string } | undefined;
  /** The key of the run's project. */
  readonly project: string;
  /** True if the run belongs to this project or is held by this connection or instance. */
  readonly isOurs: boolean;
  /** True if the run is one of those that the caller's task, client or tree leads to. */
  readonly isHeld: boolean;
}

interface HeldDefinition {
  readonly definition: Definition;
  readonly digest: string;
}

/** Digests of definitions by run; a run never changes its definition. */
const digests = new Map<string, string>();
const maxDigests = 2000;

/** Returns the given run id, otherwise that of the process, otherwise that of the first run that binds the caller. */
export async function resolveRunId(context: Context, given: string | undefined): Promise<string> {
  const named = given ?? context.runId;
  if (named !== undefined) return named;
  const holders = holdersOf(context);
  const [rows = []] = await context.store.read([bindingsQuery(holders, '')]);
  const id = defaultRunOf(bindingsOf(rows, holders));
  if (id === undefined) throw problem.RUN_NOT_FOUND({ run_id: undefined });
  return id;
}

/** Selects the positions of runs that another module's query lists. */
export function runPositionQuery(runs: Query): Query {
  return {
    sql: `select id, state, revision, is_final, aborted, visited, created_at, tree, definition from run where id in (${runs.sql})`,
    args: runs.args,
  };
}

/** Lists the events of a run with these names, oldest first; with `from`, only those emitted in this state. */
export function pastEventsQuery(runId: string, names: readonly string[], from?: string): Query {
  return {
    sql: `select name, from_state, to_state, payload, revision, at from event where run_id = :run
      and name in (${names.map((_, index) => `:name${index}`).join(', ')}) ${from === undefined ? '' : 'and from_state = :from'}
      order by revision`,
    args: {
      run: runId,
      ...Object.fromEntries(names.map((name, index) => [`name${index}`, name])),
      ...(from !== undefined && { from }),
    },
  };
}

/** Returns when a state was first entered; no row for the initial state. */
export function enteredQuery(runId: string, state: string): Query {
  return {
    sql: `select at from event where run_id = :run and to_state = :state and from_state <> :state
      order by revision limit 1`,
    args: { run: runId, state },
  };
}

/** Selects the rows that `currentRunOf` reads. */
export function currentRunQuery(project: Project): Query {
  return bindingsQuery(treeHolders(project), '');
}

/** Returns the run of a tree: its own, otherwise the main checkout's. It binds every caller in that tree. */
export function currentRunOf(rows: readonly Row[], project: Project): string | undefined {
  return defaultRunOf(bindingsOf(rows, treeHolders(project)));
}

/** Reads everything that a decision about a run needs, in one snapshot. */
export async function readRun(context: Context, runId: string, idempotencyKey?: string): Promise<Snapshot> {
  const held = await definitionOf(context, runId);
  const approving = approvingEvents(held.definition);
  const queries: Query[] = [
    { sql: 'select * from run where id = :run', args: { run: runId } },
    bindingsQuery(holdersOf(context), ''),
    {
      sql: 'select path, version, type, digest, size, actor from artifact where run_id = :run order by path',
      args: { run: runId },
    },
    ...approving.map((name) => ({
      sql: `select event.name as name, event.actor as actor, event.role as role, event.evidence as evidence from event join run on run.id = event.run_id
        where event.run_id = :run and event.name = :name and event.revision > run.entered and event.evidence is not null`,
      args: { run: runId, name },
    })),
    ...(idempotencyKey === undefined
      ? []
      : [
          {
            sql: 'select request, answer from event where run_id = :run and idempotency_key = :key',
            args: { run: runId, key: idempotencyKey },
          },
        ]),
  ];
  const [runs = [], mine = [], artifacts = [], ...rest] = await context.store.read(queries);
  const approvals = rest.slice(0, approving.length);
  const past = rest[approving.length] ?? [];
  const row = runs[0];
  if (row === undefined) throw problem.RUN_NOT_FOUND({ run_id: runId });
  const project = text(row, 'project');
  const isHeld = mine.some((one) => one['id'] === runId);
  return {
    run: toRun(row, held, context.project),
    project,
    isOurs: project === context.project.key || isHeld,
    isHeld,
    artifacts: artifacts.map(toArtifact),
    approvals: approvals
      .flat()
      .filter((one) => !isAgentId(text(one, 'actor')))
      .map((one) => ({
        event: text(one, 'name'),
        actor: text(one, 'actor'),
        role: text(one, 'role'),
        evidence: JSON.parse(text(one, 'evidence')) as readonly DigestedFile[],
      })),
    past: past[0] === undefined ? undefined : { request: text(past[0], 'request'), answer: text(past[0], 'answer') },
  };
}

/** Returns the definition that a run was started with. */
export async function definitionOf(context: Context, runId: string): Promise<HeldDefinition> {
  const digest = digests.get(runId);
  const known = digest === undefined ? undefined : knownDefinition(digest);
  if (digest !== undefined && known !== undefined) return { digest, definition: known };
  const [rows] = await context.store.read([
    {
      sql: 'select digest, body from definition where digest = (select definition from run where id = :run)',
      args: { run: runId },
    },
  ]);
  const row = rows?.[0];
  if (row === undefined) throw problem.RUN_NOT_FOUND({ run_id: runId });
  const found = text(row, 'digest');
  if (digests.size > maxDigests) digests.clear();
  digests.set(runId, found);
  return { digest: found, definition: parseDefinition(found, text(row, 'body')) };
}

function toRun(row: Row, held: HeldDefinition, project: Project): Run {
  return {
    id: text(row, 'id'),
    processId: text(row, 'process_id'),
    processVersion: text(row, 'process_version'),
    digest: held.digest,
    definition: held.definition,
    tree: treeOf(row['tree'], project),
    here: text(row, 'checkout') === checkoutOf(project),
    placed: row['tree'] !== unplaced,
    state: text(row, 'state'),
    revision: Number(row['revision']),
    context: JSON.parse(text(row, 'context')) as Record<string, unknown>,
    visited: JSON.parse(text(row, 'visited')) as string[],
    entered: Number(row['entered']),
    isFinal: row['is_final'] === 1,
    status: runStatusOf(row),
    aborted: readAbort(row),
    createdAt: text(row, 'created_at'),
    updatedAt: text(row, 'updated_at'),
  };
}

function toArtifact(row: Row): HeldArtifact {
  return {
    path: text(row, 'path'),
    version: Number(row['version']),
    type: optional(row, 'type') ?? undefined,
    digest: text(row, 'digest'),
    size: Number(row['size']),
    actor: text(row, 'actor'),
  };
}
