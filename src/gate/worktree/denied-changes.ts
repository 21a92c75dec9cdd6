import type { Context } from '../../kernel/context.ts';
import { decideIn } from '../definition/permissions.ts';
import { treeChanges } from './baseline.ts';
import { type BoundRun, permissionsOf } from '../run/bound-run.ts';

const editors = ['Edit', 'Write'];

/** Lists changed files that the state denies editing, whichever program changed them; none if no tree was recorded. */
export async function findDeniedChanges(context: Context, run: BoundRun): Promise<readonly string[]> {
  if (permissionsOf(run) === undefined) return [];
  const seen = await treeChanges(context, run);
  if ('fault' in seen) return [];
  const isDenied = (path: string) =>
    editors.every((name) => decideIn(run.definition, run.state, { names: [name], paths: [path] }) === 'deny');
  return [...new Set(seen.changes.map(({ path }) => path))].filter(isDenied);
}
