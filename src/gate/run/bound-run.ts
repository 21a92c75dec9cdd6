import type { Project } from '../../kernel/context.ts';
import type { Store } from '../../kernel/store/store.ts';
import { parsed, readRows, text } from '../../kernel/store/row.ts';
import { parseDefinition } from '../definition/cache.ts';
import { type Definition, type ToolPermissions, findState } from '../definition/definition.ts';
import { type Holders, type Reason, bindingsOf, bindingsQuery } from './holder.ts';
import { treeOf } from './tree.ts';

/** A run that binds a client's tools. It is read without the guards, which take a hook too long to load. */
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
  /** The folder in which its evidence is looked up. */
  readonly tree: string;
  readonly reason: Reason;
  /** The trees in which it binds. Paths in rules are relative to them. */
  readonly binds: readonly string[];
}

const columns = `, run.process_id as process_id, run.process_version as process_version, run.state as state,
  run.revision as revision, run.entered as entered, run.tree as tree, run.context as context, run.definition as digest,
  definition.body as body`;

/** Reads all open runs that bind; the run that a call refers to comes first. A tool that one of them denies is denied. */
export async function readBoundRuns(
  store: Store,
  project: Pick<Project, 'root'>,
  holders: Holders,
): Promise<readonly BoundRun[]> {
  const join = ' join definition on definition.digest = run.definition';
  const [rows = []] = await store.read([bindingsQuery(holders, columns, join)]);
  return bindingsOf(rows, holders)
    .filter(({ row }) => row['is_final'] !== 1)
    .map(({ row, reason, trees }) => ({
      id: text(row, 'id'),
      processId: text(row, 'process_id'),
      processVersion: text(row, 'process_version'),
      state: text(row, 'state'),
      revision: Number(row['revision']),
      entered: Number(row['entered']),
      context: parsed(row, 'context') as Record<string, unknown>,
      tree: treeOf(row['tree'], project),
      definition: parseDefinition(text(row, 'digest'), text(row, 'body')),
      reason,
      binds: trees,
    }));
}

export function permissionsOf(run: BoundRun): ToolPermissions | undefined {
  return findState(run.definition, run.state)?.tool_permissions;
}

/** Lists the artifacts that the run's state requires and that are not there yet, by type or path. */
export async function missingArtifacts(store: Store, run: BoundRun): Promise<readonly string[]> {
  const rows = await readRows(store, 'select distinct type from artifact where run_id = :run', { run: run.id });
  const held = rows.map((row) => ({ type: typeof row['type'] === 'string' ? row['type'] : undefined }));
  // Imported late: hashing and streams would slow down the hook before every tool call.
  const { requiredArtifacts } = await import('../evidence/required-artifacts.ts');
  const required = await requiredArtifacts(run.tree, run.definition, run.state, held);
  return required.filter((one) => one.status === 'missing').map((one) => one.type);
}
