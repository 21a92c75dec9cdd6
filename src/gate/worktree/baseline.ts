import { isAbsolute, relative } from 'node:path';
import { filesNotWrittenByAgentsPort } from '../../sandbox/port.ts';
import type { Context } from '../../kernel/context.ts';
import { messageOf } from '../../base/failure.ts';
import { optional, text, readRows } from '../../kernel/store/row.ts';
import type { Write } from '../../kernel/store/store.ts';
import type { Definition } from '../definition/definition.ts';
import { looksAtTree } from '../guards.ts';
import type { TreeChanges } from './manifest.ts';
import { type Tree, changesSince, recordTree } from './tree.ts';
import { phrase } from '../phrase.ts';

/** The position of a run and its tree. */
export interface Entered {
  readonly id: string;
  readonly state: string;
  readonly entered: number;
  /** The folder that has its files. */
  readonly tree: string;
}

export interface Baseline {
  readonly writes: readonly Write[];
  /** Details for the journal entry. */
  readonly note: { readonly tree: string } | { readonly tree_fault: string } | undefined;
}

const columns = '(run_id, state, entered, manifest, fault, at)';
const replaceOnConflict = `on conflict (run_id) do update set state = excluded.state, entered = excluded.entered,
  manifest = excluded.manifest, fault = excluded.fault, at = excluded.at`;

const none: Baseline = { writes: [], note: undefined };

/** Records the tree when a run enters a state. Writes nothing if no guard out of that state compares the tree. */
export async function recordBaseline(
  context: Context,
  definition: Definition,
  run: Entered & { readonly here: boolean },
): Promise<Baseline> {
  const out = definition.transitions.filter((one) => one.from === run.state).flatMap((one) => one.guards);
  if (!looksAtTree(out, definition.guards)) return none;
  return run.here
    ? recordNow(context, run)
    : recordFault(context, run, 'the state was entered where the files are not');
}

/** Records the tree at any time: a person accepts the current tree as the baseline of the state. */
export async function recordNow(context: Context, run: Entered): Promise<Baseline & { readonly files: number }> {
  const at = context.now().toISOString();
  const args = { run: run.id, state: run.state, entered: run.entered, at };
  try {
    const {
      digest,
      text: body,
      files,
    } = await recordTree(await treeOf(context, run), await readEarlierManifest(context, run), context.signal);
    return {
      files,
      note: { tree: digest },
      writes: [
        keepManifest(digest, body, at),
        {
          sql: `insert into tree_baseline ${columns} values (:run, :state, :entered, :digest, null, :at) ${replaceOnConflict}`,
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
    return recordFault(context, run, messageOf(error));
  }
}

/** Records why the tree could not be read. The run continues; the guard reports the reason. */
function recordFault(
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
        sql: `insert into tree_baseline ${columns} values (:run, :state, :entered, null, :fault, :at) ${replaceOnConflict}`,
        args: { run: id, state, entered, at, fault },
      },
    ],
  };
}

/** Stores a manifest. It updates an existing row, so that a concurrent deletion of unused manifests has to wait. */
export function keepManifest(digest: string, body: string, at: string): Write {
  return {
    sql: `insert into tree_manifest (digest, body, at) values (:digest, :body, :at)
      on conflict (digest) do update set at = excluded.at`,
    args: { digest, body, at },
  };
}

/** Returns the changes since the state began, or the reason why they are unknown. */
export async function treeChanges(context: Context, run: Entered): Promise<TreeChanges> {
  const rows = await readRows(
    context.store,
    'select manifest, fault from tree_baseline where run_id = :run and state = :state and entered = :entered',
    { run: run.id, state: run.state, entered: run.entered },
  );
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

/** Returns the tree to compare, without Sekisho's own files: only trusted versions of those have an effect. */
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

/** Reads the newest manifest of this run, so that files that it recorded stay watched. */
async function readEarlierManifest(context: Context, { id }: Entered): Promise<string | undefined> {
  const rows = await readRows(
    context.store,
    'select manifest from tree_baseline where run_id = :run and manifest is not null',
    { run: id },
  );
  return rows[0] === undefined ? undefined : readManifest(context, text(rows[0], 'manifest'));
}

export async function readManifest({ store }: Context, digest: string): Promise<string> {
  const rows = await readRows(store, 'select body from tree_manifest where digest = :digest', { digest });
  if (rows[0] === undefined) throw new Error('what was recorded of it is gone');
  return text(rows[0], 'body');
}
