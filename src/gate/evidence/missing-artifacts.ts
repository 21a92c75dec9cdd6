import type { Store } from '../../kernel/store/store.ts';
import { type BoundRun, heldTypesQuery } from '../run/bound-run.ts';

/** What the state of a run requires and nobody has handed in yet, by type or path. */
export async function missingArtifacts(store: Store, run: BoundRun): Promise<readonly string[]> {
  const [rows = []] = await store.read([heldTypesQuery(run.id)]);
  const held = rows.map((row) => ({ type: typeof row['type'] === 'string' ? row['type'] : undefined }));
  // Hashing and streams are not for the hooks before every tool.
  const { requiredArtifacts } = await import('./required-artifacts.ts');
  const required = await requiredArtifacts(run.tree, run.definition, run.state, held);
  return required.filter((one) => one.status === 'missing').map((one) => one.type);
}
