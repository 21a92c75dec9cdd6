import { isAbsolute, relative } from 'node:path';
import { filesNotWrittenByAgentsPort } from '../../sandbox/port.ts';
import type { Context } from '../../kernel/context.ts';
import { messageOf } from '../../base/failure.ts';
import { optional, text, readRows } from '../../kernel/store/row.ts';
import type { Write } from '../../kernel/store/store.ts';
import { type Definition, guardsOutOf } from '../definition/definition.ts';
import { looksAtTree } from '../guards.ts';
import type { TreeChanges } from './manifest.ts';
import type { Tree } from './scan.ts';
import { listChanges, recordTree } from './tree.ts';
import { phrase } from '../phrase.ts';

/** The position of a run and its tree. */
export interface RunPlace {
  readonly id: string;
  readonly state: string;
  readonly entered: number;
  readonly tree: string;
}

export interface Baseline {
  readonly writes: readonly Write[];
  readonly note: { readonly tree: string } | { readonly tree_fault: string } | undefined;
}

/** Records the tree when a run enters a state. Writes nothing if no guard out of that state compares the tree. */
export async function recordBaseline(
  context: Context,
  definition: Definition,
  run: RunPlace & { readonly here: boolean },
): Promise<Baseline> {
  if (!looksAtTree(guardsOutOf(definition, run.state), definition.guards)) return { writes: [], note: undefined };
  return run.here
    ? recordNow(context, run)
    : recordFault(context, run, 'the state was entered where the files are not');
}

/** Records the tree at any time: a person accepts the current tree as the baseline of the state. */
export async function recordNow(context: Context, run: RunPlace): Promise<Baseline> {
  try {
    const earlier = await readEarlierManifest(context, run);
    const { digest, text: body } = await recordTree(await treeOf(context, run), earlier, context.signal);
    return {
      note: { tree: digest },
      writes: [
        keepManifest(digest, body, context.now().toISOString()),
        baselineWrite(context, run, { digest, fault: null }),
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
function recordFault(context: Context, run: RunPlace, fault: string): Baseline {
  return { note: { tree_fault: fault }, writes: [baselineWrite(context, run, { digest: null, fault })] };
}

function baselineWrite(
  context: Context,
  { id, state, entered }: RunPlace,
  found: { readonly digest: string | null; readonly fault: string | null },
): Write {
  return {
    sql: `insert into tree_baseline (run_id, state, entered, manifest, fault, at)
      values (:run, :state, :entered, :digest, :fault, :at) on conflict (run_id) do update set state = excluded.state,
      entered = excluded.entered, manifest = excluded.manifest, fault = excluded.fault, at = excluded.at`,
    args: { run: id, state, entered, ...found, at: context.now().toISOString() },
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
export async function treeChanges(context: Context, run: RunPlace): Promise<TreeChanges> {
  const [row] = await readRows(
    context.store,
    'select manifest, fault from tree_baseline where run_id = :run and state = :state and entered = :entered',
    { run: run.id, state: run.state, entered: run.entered },
  );
  const digest = row === undefined ? null : optional(row, 'manifest');
  if (digest === null)
    return { fault: (row === undefined ? null : optional(row, 'fault')) ?? context.say(phrase.treeUnrecorded()) };
  try {
    return {
      changes: await listChanges(await treeOf(context, run), await readManifest(context, digest), context.signal),
      since: digest,
    };
  } catch (error) {
    context.signal.throwIfAborted();
    return { fault: messageOf(error) };
  }
}

/** Returns the tree to compare, without Sekisho's own files: only trusted versions of those have an effect. */
export async function treeOf(context: Context, { tree }: Pick<RunPlace, 'tree'>): Promise<Tree> {
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
async function readEarlierManifest(context: Context, { id }: RunPlace): Promise<string | undefined> {
  const [row] = await readRows(
    context.store,
    'select manifest from tree_baseline where run_id = :run and manifest is not null',
    { run: id },
  );
  return row === undefined ? undefined : readManifest(context, text(row, 'manifest'));
}

export async function readManifest({ store }: Context, digest: string): Promise<string> {
  const [row] = await readRows(store, 'select body from tree_manifest where digest = :digest', { digest });
  if (row === undefined) throw new Error('what was recorded of it is gone');
  return text(row, 'body');
}
