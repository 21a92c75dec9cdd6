import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { Entry, Write } from '../../kernel/store/store.ts';
import { text } from '../../kernel/store/row.ts';
import { checkoutOf } from './checkout.ts';
import { definitionOf } from './runs.ts';
import { type UnplacedRun, ownTreeWrites, recordTreeOf } from './start-run.ts';
import { treeColumn, unplaced } from './tree.ts';

/** The writes and entries that place a run; both are empty if it has its tree. */
interface Placing {
  readonly writes: readonly Write[];
  readonly entries: readonly Entry[];
}

const nothing: Placing = { writes: [], entries: [] };

/**
 * Returns the writes that give a run the caller's tree, with its start and the baseline of its state. A worktree gets it as its
 * own run. The commit conflicts if another caller has placed the run meanwhile. It reads the whole tree now, so that the
 * transaction does not have to.
 */
export async function placeRunWrites(context: Context, run: string | UnplacedRun): Promise<Placing> {
  const found = typeof run === 'string' ? await findUnplaced(context, run) : run;
  if (found === undefined) return nothing;
  const { id } = found;
  const { project } = context;
  const { writes, note } = await recordTreeOf(context, found);
  const at = context.now().toISOString();
  return {
    writes: [
      {
        sql: `update run set tree = :tree, checkout = :checkout
          where id = :id and tree = :unplaced and state = :state and entered = :entered`,
        args: {
          id,
          tree: treeColumn(project),
          checkout: checkoutOf(project),
          unplaced,
          state: found.state,
          entered: found.entered,
        },
        rows: 1,
      },
      ...writes,
      ...(project.tree === project.root ? [] : ownTreeWrites(context, id, at)),
    ],
    entries: [entry(context, id, 'run.placed', { folder: project.tree, ...note })],
  };
}

/** Gives a run the caller's tree. False if another caller was faster. */
export async function placeRun(context: Context, runId: string): Promise<boolean> {
  const { writes, entries } = await placeRunWrites(context, runId);
  const [placed] = entries;
  return placed === undefined || (await context.store.commit(writes, [placed])).done;
}

async function findUnplaced(context: Context, id: string): Promise<UnplacedRun | undefined> {
  const [[row] = []] = await context.store.read([
    {
      sql: 'select state, entered from run where id = :id and tree = :unplaced and is_final = 0',
      args: { id, unplaced },
    },
  ]);
  if (row === undefined) return undefined;
  const { definition } = await definitionOf(context, id);
  return { id, state: text(row, 'state'), entered: Number(row['entered']), definition };
}
