import type { Context } from '../../kernel/context.ts';
import { optional, text } from '../../kernel/store/row.ts';
import { parseDefinition } from '../definition/cache.ts';
import type { Definition } from '../definition/definition.ts';
import { treeHolder } from '../run/holder.ts';

/** The run of a tree that is not the main checkout. */
export async function runOfTree(
  { store }: Pick<Context, 'store'>,
  place: { readonly root: string; readonly tree: string },
): Promise<string | undefined> {
  const [[row] = []] = await store.read([
    { sql: 'select run_id from run_holder where holder = :holder', args: { holder: treeHolder(place) } },
  ]);
  return row && text(row, 'run_id');
}

/**
 * Lists the working papers of a run, relative to its tree: the submitted files of each type that says `land: false`, and the
 * file that such a type names, which may be there although it was not submitted.
 */
export async function workingPapersOf({ store }: Pick<Context, 'store'>, runId: string): Promise<readonly string[]> {
  const [[row] = [], artifacts = []] = await store.read([
    {
      sql: 'select digest, body from definition where digest = (select definition from run where id = :run)',
      args: { run: runId },
    },
    { sql: 'select path, type from artifact where run_id = :run', args: { run: runId } },
  ]);
  if (row === undefined) return [];
  const definition = parseDefinition(text(row, 'digest'), text(row, 'body'));
  const types = definition.artifacts.filter((one) => one.land === false);
  const submitted = artifacts.filter((one) => types.some(({ type }) => type === optional(one, 'type')));
  return [...new Set([...submitted.map((one) => text(one, 'path')), ...types.flatMap(namedFile)])].toSorted();
}

function namedFile({ path }: Definition['artifacts'][number]): readonly string[] {
  return path === undefined || /[*?]/.test(path) ? [] : [path.replace(/^\.\//, '')];
}
