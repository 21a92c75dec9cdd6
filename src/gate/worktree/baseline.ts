import { isAbsolute, relative } from 'node:path';
import { filesNotWrittenByAgentsPort } from '../../sandbox/port.ts';
import type { Context } from '../../kernel/context.ts';
import { messageOf } from '../../base/failure.ts';
import { optional, text } from '../../kernel/store/row.ts';
import type { Write } from '../../kernel/store/store.ts';
import type { Definition } from '../definition/definition.ts';
import { looksAtTree } from '../guards.ts';
import type { TreeChanges } from './manifest.ts';
import { type Tree, changesSince, recordTree } from './tree.ts';
import { phrase } from '../phrase.ts';

/** Where a run stands, as far as its tree is concerned. */
export interface Entered {
  readonly id: string;
  readonly state: string;
  readonly entered: number;
  /** Where its files are. */
  readonly tree: string;
}

export interface Baseline {
  readonly writes: readonly Write[];
  /** What the journal says of it. */
  readonly note: { readonly tree: string } | { readonly tree_fault: string } | undefined;
}

const columns = '(run_id, state, entered, manifest, fault, at)';
const replaced = `on conflict (run_id) do update set state = excluded.state, entered = excluded.entered,
  manifest = excluded.manifest, fault = excluded.fault, at = excluded.at`;

const none: Baseline = { writes: [], note: undefined };

/** The tree as a run enters a state; nothing where no way out of that state will ask. */
export async function recordBaseline(
  context: Context,
  definition: Definition,
  run: Entered & { readonly here: boolean },
): Promise<Baseline> {
  const out = definition.transitions.filter((one) => one.from === run.state).flatMap((one) => one.guards);
  if (!looksAtTree(out, definition.guards)) return none;
  return run.here ? recordNow(context, run) : unread(context, run, 'the state was entered where the files are not');
}

/** The same at any moment: a person takes the tree as it is now for the one that the state began with. */
export async function recordNow(context: Context, run: Entered): Promise<Baseline & { readonly files: number }> {
  const at = context.now().toISOString();
  const args = { run: run.id, state: run.state, entered: run.entered, at };
  try {
    const {
      digest,
      text: body,
      files,
    } = await recordTree(await treeOf(context, run), await earlier(context, run), context.signal);
    return {
      files,
      note: { tree: digest },
      writes: [
        keepManifest(digest, body, at),
        {
          sql: `insert into tree_baseline ${columns} values (:run, :state, :entered, :digest, null, :at) ${replaced}`,
          args: { ...args, digest },
        },
        {
          sql: `delete from tree_manifest where digest <> :digest
            and not exists (select 1 from tree_baseline where tree_baseline.manifest = tree_manifest.digest)
            and not exists (select 1 from tree_start where tree_start.manifest = tree_manifest.digest)`,
          args: { digest },
        },
      ],
    };
  } catch (error) {
    context.signal.throwIfAborted();
    return unread(context, run, messageOf(error));
  }
}

/** The run goes on; the guard will say why it cannot hold. */
function unread(
  context: Context,
  { id, state, entered }: Entered,
  fault: string,
): Baseline & { readonly files: number } {
  const at = context.now().toISOString();
  return {
    files: 0,
    note: { tree_fault: fault },
    writes: [
      {
        sql: `insert into tree_baseline ${columns} values (:run, :state, :entered, null, :fault, :at) ${replaced}`,
        args: { run: id, state, entered, at, fault },
      },
    ],
  };
}

/** Written even where it is there: another run that lets go of it must wait, or it would be gone beneath us. */
export function keepManifest(digest: string, body: string, at: string): Write {
  return {
    sql: `insert into tree_manifest (digest, body, at) values (:digest, :body, :at)
      on conflict (digest) do update set at = excluded.at`,
    args: { digest, body, at },
  };
}

/** What differs from the tree that the state began with, or why that cannot be told. */
export async function treeChanges(context: Context, run: Entered): Promise<TreeChanges> {
  const [rows = []] = await context.store.read([
    {
      sql: 'select manifest, fault from tree_baseline where run_id = :run and state = :state and entered = :entered',
      args: { run: run.id, state: run.state, entered: run.entered },
    },
  ]);
  const row = rows[0];
  const digest = row === undefined ? null : optional(row, 'manifest');
  if (digest === null)
    return { fault: (row === undefined ? null : optional(row, 'fault')) ?? context.say(phrase.treeUnrecorded()) };
  try {
    return {
      changes: await changesSince(await treeOf(context, run), await readManifest(context, digest), context.signal),
      since: digest,
    };
  } catch (error) {
    context.signal.throwIfAborted();
    return { fault: messageOf(error) };
  }
}

/** Our own files are no part of the work; who changes them gains nothing, since only what a person trusted counts. */
export async function treeOf(context: Context, { tree }: Pick<Entered, 'tree'>): Promise<Tree> {
  const { project, environment } = context;
  const state = relative(tree, project.state);
  const inside = state !== '' && !state.startsWith('..') && !isAbsolute(state);
  const { PATH, HOME, XDG_CONFIG_HOME } = environment;
  const { blank, made, keys } = await filesNotWrittenByAgentsPort.of(context)();
  return {
    root: tree,
    leaveOut: ['.sekisho', ...made, ...(inside ? [state] : [])],
    blank,
    keys,
    env: { PATH, HOME, XDG_CONFIG_HOME },
  };
}

/** The newest manifest of this run: what it saw it goes on seeing. */
async function earlier(context: Context, { id }: Entered): Promise<string | undefined> {
  const [rows = []] = await context.store.read([
    { sql: 'select manifest from tree_baseline where run_id = :run and manifest is not null', args: { run: id } },
  ]);
  return rows[0] === undefined ? undefined : readManifest(context, text(rows[0], 'manifest'));
}

export async function readManifest({ store }: Context, digest: string): Promise<string> {
  const [rows = []] = await store.read([
    { sql: 'select body from tree_manifest where digest = :digest', args: { digest } },
  ]);
  if (rows[0] === undefined) throw new Error('what was recorded of it is gone');
  return text(rows[0], 'body');
}
