import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { Entry, Store, Write } from '../../kernel/store/store.ts';
import { type Definition, findState } from '../definition/definition.ts';
import { validateJson } from '../definition/json-schema.ts';
import { type Baseline, type RunPlace, recordBaseline } from '../worktree/baseline.ts';
import { checkoutOf } from './checkout.ts';
import { recordStart } from '../evidence/difference.ts';
import { payloadProblem } from './payload.ts';
import { bindWrite, callersQuery, endedCallerWrites, ownTreeWrite, untrustedRunsHolder } from './holder.ts';
import { text } from '../../kernel/store/row.ts';
import { processPrefix } from '../../machine/ancestors.ts';
import { isAlive } from '../../machine/identity.ts';
import { treeColumn, unplaced } from './tree.ts';

export interface RunStart {
  readonly definition: Definition;
  readonly digest: string;
  /** The source of the definition, as it is shown and stored. */
  readonly file: string;
  /** Values that override or extend the definition's initial context. */
  readonly context: Readonly<Record<string, unknown>>;
  /**
   * Callers that the run binds. `tree`: the agent that starts it and everyone in this tree, unless an open run binds there.
   * `guest`: the same, but the run does not become the tree's own.
   */
  readonly binds: 'tree' | 'guest' | 'nobody';
  /** `later`: the run has no tree until its first holder takes it; see `placeRun`. */
  readonly tree?: 'here' | 'later';
}

/** A run without a tree, at its position. */
export type UnplacedRun = Pick<RunPlace, 'id' | 'state' | 'entered'> & { readonly definition: Definition };

export interface StartedRun {
  readonly id: string;
  readonly context: Readonly<Record<string, unknown>>;
  readonly isFinal: boolean;
  readonly at: string;
  /** The run as `placeRun` takes it in the same commit; undefined if it has its tree. */
  readonly unplaced: UnplacedRun | undefined;
  /** Writes to commit together with the entry and anything else that belongs to the start. */
  readonly writes: readonly Write[];
  readonly entry: Entry;
}

/** Prepares a new run of a definition from any source. It writes nothing yet. */
export async function startRun(
  context: Context,
  { definition, digest, file, ...start }: RunStart,
): Promise<StartedRun> {
  const values = { ...definition.initial_context, ...start.context };
  if (definition.context_schema !== undefined) {
    const errors = validateJson(definition.context_schema, values, context.say);
    if (errors.length > 0) throw payloadProblem(errors);
  }
  const id = context.newId('run-');
  const now = context.now();
  const at = now.toISOString();
  const project = context.project.key;
  const isFinal = findState(definition, definition.initial_state)?.is_final === true;
  const position = { id, state: definition.initial_state, entered: 0, definition };
  const isLater = start.tree === 'later';
  const recorded = isLater ? nothingRecorded : await recordTreeOf(context, position);
  const created = entry({ ...context, now: () => now }, id, 'run.created', {
    process: definition.id,
    version: definition.version,
    definition: digest,
    state: definition.initial_state,
    revision: 0,
    final: isFinal,
    ...recorded.note,
  });
  const writes: Write[] = [
    {
      sql: `insert into definition (digest, process_id, version, name, source, body, at)
        values (:digest, :process, :version, :name, :source, :body, :at) on conflict (digest) do nothing`,
      args: {
        digest,
        process: definition.id,
        version: definition.version,
        name: definition.name,
        source: file,
        body: JSON.stringify(definition),
        at,
      },
    },
    {
      sql: `insert into run (id, project, process_id, process_version, definition, state, revision, context, visited, entered, is_final, tree, checkout, created_at, updated_at)
        values (:id, :project, :process, :version, :digest, :state, 0, :context, '[]', 0, :final, :tree, :checkout, :at, :at)`,
      args: {
        id,
        project,
        process: definition.id,
        version: definition.version,
        digest,
        state: definition.initial_state,
        context: JSON.stringify(values),
        final: isFinal ? 1 : 0,
        tree: isLater ? unplaced : treeColumn(context.project),
        checkout: isLater ? unplaced : checkoutOf(context.project),
        at,
      },
      rows: 1,
    },
  ];
  writes.push(...recorded.writes);
  const { actor, callers } = context;
  if (start.binds === 'tree') writes.push(...ownTreeWrites(context, id, at));
  if (start.binds === 'guest') writes.push(bindWrite(untrustedRunsHolder(context.project), id, at));
  if (start.binds !== 'nobody' && !actor.person && callers.client !== undefined)
    writes.push(...(await forgetEndedWrites(context.store)), bindWrite(callers.client, id, at));
  return { id, context: values, isFinal, at, unplaced: isLater ? position : undefined, writes, entry: created };
}

type RecordedTree = Pick<Baseline, 'writes' | 'note'>;

const nothingRecorded: RecordedTree = { writes: [], note: undefined };

/** Records the caller's tree as the run's start and as the baseline of its state. */
export async function recordTreeOf(context: Context, run: UnplacedRun): Promise<RecordedTree> {
  const { tree } = context.project;
  const { id, state, entered, definition } = run;
  const baseline = await recordBaseline(context, definition, { id, state, entered, tree, here: true });
  const start = await recordStart(context, definition, { id, tree });
  return { writes: [...start, ...baseline.writes], note: baseline.note };
}

/** Makes the run the caller's tree's own, unless an open one binds there. */
export function ownTreeWrites({ actor, project }: Pick<Context, 'actor' | 'project'>, id: string, at: string): Write[] {
  // Only a person can give a worktree its own run beside the main checkout's: an agent could escape its gate that way.
  const writes = [ownTreeWrite(project, id, { instead: actor.person })];
  // With `worktreesAlone` the main checkout's run does not bind this caller here, but it may bind callers with another
  // configuration. So the run is also a guest, which binds only if no other run does.
  const isAlone = !actor.person && project.worktreesAlone && project.tree !== project.root;
  return isAlone ? [...writes, bindWrite(untrustedRunsHolder(project), id, at)] : writes;
}

/** Returns the writes that remove bindings of processes on this machine that have ended. */
async function forgetEndedWrites(store: Store): Promise<readonly Write[]> {
  const [rows = []] = await store.read([callersQuery()]);
  return rows
    .map((row) => text(row, 'caller'))
    .filter(hasEnded)
    .flatMap(endedCallerWrites);
}

function hasEnded(name: string): boolean {
  const prefix = processPrefix();
  const [, pid, start = ''] = name.startsWith(prefix) ? (/^(\d+):(.*)$/.exec(name.slice(prefix.length)) ?? []) : [];
  return pid !== undefined && !isAlive(Number(pid), start);
}
