import type { Project } from '../../kernel/context.ts';
import type { Query, Store } from '../../kernel/store.ts';
import { parsed, text } from '../../kernel/row.ts';
import { parseDefinition } from '../definition/cache.ts';
import type { Definition, ToolPermissions } from '../definition/definition.ts';
import { findState } from '../definition/definition.ts';
import type { Holders } from './holder.ts';
import { isHolder, namedOrHeld, noHolders, treeHolder } from './holder.ts';
import { treeOf } from './tree.ts';
import { problem } from '../problem.ts';

/** The run that binds a client's tools. Read without the guards, which a hook has no time to load. */
export interface BoundRun {
  readonly id: string;
  readonly processId: string;
  readonly processVersion: string;
  readonly state: string;
  readonly revision: number;
  /** The revision at which it entered its state. */
  readonly entered: number;
  readonly context: Readonly<Record<string, unknown>>;
  readonly definition: Definition;
  /** Where its evidence is looked for. */
  readonly tree: string;
}

const columns = `select run.id as id, run.process_id as process_id, run.process_version as process_version, run.state as state,
  run.revision as revision, run.entered as entered, run.is_final as is_final, run.tree as tree, run.context as context, run.definition as digest,
  definition.body as body
  from run join definition on definition.digest = run.definition`;

/** Reads the run named or held, else the project's current one. A final run binds no caller; one that is named must exist. */
export async function readBoundRun(
  store: Store,
  project: Project,
  runId: string | undefined,
  holders: Holders = { ...noHolders, instance: isHolder(runId) ? runId : '', tree: treeHolder(project) },
): Promise<BoundRun | undefined> {
  const named = runId !== undefined && !isHolder(runId);
  const run = namedOrHeld(project.key, runId, holders);
  const [rows = []] = await store.read([{ sql: `${columns} where run.id = ${run.sql}`, args: run.args }]);
  const row = rows[0];
  if (row === undefined && named) throw problem.RUN_NOT_FOUND({ run_id: runId });
  if (row === undefined || row['is_final'] === 1) return undefined;
  return {
    id: text(row, 'id'),
    processId: text(row, 'process_id'),
    processVersion: text(row, 'process_version'),
    state: text(row, 'state'),
    revision: Number(row['revision']),
    entered: Number(row['entered']),
    context: parsed(row, 'context') as Record<string, unknown>,
    tree: treeOf(row['tree'], project),
    definition: parseDefinition(text(row, 'digest'), text(row, 'body')),
  };
}

/** The types of which the run has artifacts. */
export function heldTypesQuery(runId: string): Query {
  return { sql: 'select distinct type from artifact where run_id = :run', args: { run: runId } };
}

export function permissionsOf(run: BoundRun): ToolPermissions | undefined {
  return findState(run.definition, run.state)?.tool_permissions;
}
