import type { Store } from '../../kernel/store/store.ts';
import { type BoundRun, heldTypesQuery } from '../run/bound-run.ts';

/** Lists the artifacts that the run's state requires and that are not there yet, by type or path. */
export async function missingArtifacts(store: Store, run: BoundRun): Promise<readonly string[]> {
  const [rows = []] = await store.read([heldTypesQuery(run.id)]);
  const held = rows.map((row) => ({ type: typeof row['type'] === 'string' ? row['type'] : undefined }));
  // Imported late: hashing and streams would slow down the hook before every tool call.
  const { requiredArtifacts } = await import('./required-artifacts.ts');
  const required = await requiredArtifacts(run.tree, run.definition, run.state, held);
  return required.filter((one) => one.status === 'missing').map((one) => one.type);
}
