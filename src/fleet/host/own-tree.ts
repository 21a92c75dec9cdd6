import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Attempt,
  type Change,
  type ChangeRecord,
  type Recorder,
  type StagedCommit,
  agentOwner,
  changeRecord,
  changeQuery,
  discardWrites,
  ensureTree,
  folderIn,
  keepLeftovers,
  keptFiles,
  prepareTree,
  removeTree,
  stageAttempt,
  toChange,
  treeAuthor,
  updateChange,
} from '../../change/index.ts';
import { runOfTree, workingPapersOf } from '../../gate/index.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { parsed, text } from '../../kernel/store/row.ts';
import type { Row } from '../../kernel/store/store.ts';
import { thisMachine } from '../../machine/this-machine.ts';
import type { Confine, FilesNotWrittenByAgents } from '../../sandbox/port.ts';
import { entryFor } from '../agent-rows.ts';
import { agents } from '../agents.ts';
import type { FleetContext } from '../fleet-context.ts';
import { placedFiles } from './prepare.ts';
import type { ClaimedAgent } from './claim.ts';
import type { Spec } from './spec.ts';

/** The files in a project that its agents did not write: placeholders, files that hosts place, files of agent CLIs. */
export function filesNotWrittenByAgents(): FilesNotWrittenByAgents {
  return {
    blank: {
      ...Object.fromEntries(agents.flatMap(({ places }) => Object.entries(places?.project.files ?? {}))),
      ...placedFiles(),
    },
    made: agents.flatMap(({ writes }) => writes?.made ?? []),
    keys: Object.fromEntries(agents.flatMap(({ writes }) => Object.entries(writes?.keys ?? {}))),
  };
}

/** Starts programs of a project in its sandbox. */
export type ConfineFor = (place: Spec['place'], sandbox: Spec['sandbox']) => Confine;

/** Makes and prepares the tree of an agent that has its own. Returns the project's folder in it. */
export async function openOwnTree(
  context: FleetContext,
  { id, row, spec }: ClaimedAgent,
  confine: ConfineFor,
): Promise<string | undefined> {
  if (spec.change === undefined) return undefined;
  const change = await findChange(context, spec.change);
  if (change === undefined) throw new Error(`there is no change ${spec.change}`);
  const { environment: env, say } = context;
  const { isNew, filtered } = await ensureTree(change, treeAuthor(id, spec.identity ?? id), env);
  const tree = folderIn(change, spec.place.root);
  // A folder without tracked files is in no commit.
  mkdirSync(text(row, 'working_directory'), { recursive: true });
  const place = { root: spec.place.root, tree, gitDir: join(change.path, '.git') };
  const run = { confine: confine(spec.place, spec.sandbox), env, say, signal: new AbortController().signal };
  const setup = spec.setup && (await prepareTree(place, spec.setup, isNew ? null : change.setup, run));
  if (isNew || setup !== change.setup)
    await context.store.commit(
      [updateChange(change, context.now().toISOString(), { filtered: JSON.stringify(filtered), setup: setup ?? null })],
      [entryFor(context, { project: change.project }, change.id, 'change.prepared', { agent: id, path: change.path })],
    );
  return tree;
}

async function findChange(context: Pick<FleetContext, 'store'>, id: string): Promise<Change | undefined> {
  const [[row] = []] = await context.store.read([changeQuery(id)]);
  return row && toChange(row);
}

/** A change as an agent's record shows it; undefined if nothing was recorded. */
function recordOf(change: Change): ChangeRecord | undefined {
  return change.head === null ? undefined : changeRecord(change);
}

/** Records the files of an agent's own tree as it reports; undefined if it has no tree of its own here. */
export async function stageReport(context: Recorder, row: Row): Promise<StagedCommit | undefined> {
  const spec = parsed(row, 'spec') as Spec | null;
  const change = spec?.change === undefined ? undefined : await findChange(context, spec.change);
  if (spec === null || change === undefined || change.machine !== thisMachine() || !existsSync(change.path))
    return undefined;
  return stageAttempt(context, change, {
    ...(await attemptOf(context, change, text(row, 'id'), spec)),
    reported: true,
  });
}

/**
 * Records what an agent left in its own tree, once none of its processes is left. What it did after its report is kept
 * apart. A tree that belongs to this agent alone and in which nothing changed is removed.
 */
export async function recordOwnTree(context: FleetContext, row: Row): Promise<ChangeRecord | undefined> {
  const spec = parsed(row, 'spec') as Spec | null;
  const id = text(row, 'id');
  if (spec?.change === undefined) return undefined;
  const { change: changeId } = spec;
  return retry(
    async () => {
      const change = await findChange(context, changeId);
      if (change === undefined) return undefined;
      if (change.machine !== thisMachine()) return recordOf(change);
      if (!existsSync(change.path)) return forgetIfEmpty(context, change, id);
      const attempt = await attemptOf(context, change, id, spec);
      if (change.reportedBy === id) {
        const branch = await keepLeftovers(context, change, attempt);
        if (branch !== undefined)
          await context.store.commit([], [entryFor(context, row, change.id, 'change.leftover', { agent: id, branch })]);
        return recordOf(change);
      }
      const { writes, entries, publish } = await stageAttempt(context, change, attempt);
      const [first, ...rest] = entries;
      if (first === undefined) return forgetIfEmpty(context, change, id);
      if (!(await context.store.commit(writes, [first, ...rest])).done) return again;
      await publish();
      const after = await findChange(context, changeId);
      return after && recordOf(after);
    },
    () => kernelProblem.STORE_BUSY({ what: changeId }),
  );
}

async function attemptOf(
  context: Pick<FleetContext, 'store'>,
  change: Change,
  agent: string,
  spec: Pick<Spec, 'identity' | 'place' | 'setup'>,
): Promise<Attempt> {
  const { setup, place } = spec;
  const run = await runOfTree(context, { root: place.root, tree: folderIn(change, place.root) });
  const papers = run === undefined ? [] : await workingPapersOf(context, run);
  const placed = setup === undefined ? [] : [...setup.copy, ...setup.link];
  return {
    agent,
    author: spec.identity ?? agent,
    task: /^task:(.*)$/s.exec(change.owner)?.[1],
    run,
    reported: false,
    kept: keptFiles(change, place.root, filesNotWrittenByAgents(), [...placed, ...papers]),
  };
}

async function forgetIfEmpty(context: FleetContext, change: Change, agent: string): Promise<ChangeRecord | undefined> {
  if (change.owner !== agentOwner(agent) || change.head !== null) return recordOf(change);
  removeTree(change);
  const { writes, forget } = discardWrites(context, change);
  const gone = entryFor(context, { project: change.project }, change.id, 'change.empty', { owner: change.owner });
  if ((await context.store.commit(writes, [gone])).done) await forget();
  return undefined;
}
