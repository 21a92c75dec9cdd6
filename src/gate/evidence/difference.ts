import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../../kernel/context.ts';
import { unifiedDiff } from '../../base/difference.ts';
import { messageOf } from '../../base/failure.ts';
import { optional, readRows } from '../../kernel/store/row.ts';
import type { Write } from '../../kernel/store/store.ts';
import { findRepository, runGit } from '../../machine/git.ts';
import { type Definition, guardsOutOf } from '../definition/definition.ts';
import type { Artifact } from '../guard.ts';
import { showsDifference } from '../guards.ts';
import type { EntryChange } from '../worktree/manifest.ts';
import { listEntryChanges, recordTree } from '../worktree/tree.ts';
import { readArtifact } from './artifacts.ts';
import { type RunPlace, keepManifest, readManifest, treeOf } from '../worktree/baseline.ts';
import { readKept } from './kept-bytes.ts';
import { phrase } from '../phrase.ts';

/** The path of the difference among the evidence. No file of the work can have it. */
export const differencePath = '.sekisho/difference.patch';

/** Size limits of the shown text. Content beyond them is listed by digest; an answer still covers all of it. */
const maxText = 1 << 20;
const maxFile = 1 << 18;
const maxNamed = 2000;

export type Difference = { readonly artifact: Artifact; readonly bytes: Buffer } | { readonly fault: string };

/** Tells whether approvals in this state cover the difference of the work tree. */
export function isShownIn(definition: Definition, state: string): boolean {
  return showsDifference(guardsOutOf(definition, state), definition.guards);
}

/** Records the tree when a run begins. Writes nothing if no guard of the process shows the difference. */
export async function recordStart(
  context: Context,
  { transitions, guards }: Definition,
  run: Pick<RunPlace, 'id' | 'tree'>,
): Promise<readonly Write[]> {
  if (!transitions.some((one) => showsDifference(one.guards, guards))) return [];
  const sql = 'insert into tree_start (run_id, manifest, head, fault) values (:run, :digest, :head, :fault)';
  try {
    const tree = await treeOf(context, run);
    const { digest, text: body } = await recordTree(tree, undefined, context.signal);
    const head = await git(run.tree, context, ['rev-parse', '--verify', 'HEAD']);
    return [
      keepManifest(digest, body, context.now().toISOString()),
      { sql, args: { run: run.id, digest, head: head?.toString('utf8').trim() ?? null, fault: null } },
    ];
  } catch (error) {
    context.signal.throwIfAborted();
    // The run still starts; the guard reports this fault.
    return [{ sql, args: { run: run.id, digest: null, head: null, fault: messageOf(error) } }];
  }
}

/** Returns the changes since the run began. Equal trees give equal text, in every language and on every machine. */
export async function readDifference(context: Context, run: DifferenceRun): Promise<Difference> {
  const [row] = await readRows(context.store, 'select manifest, head, fault from tree_start where run_id = :run', {
    run: run.id,
  });
  const digest = row === undefined ? null : optional(row, 'manifest');
  if (row === undefined || digest === null)
    return { fault: (row === undefined ? null : optional(row, 'fault')) ?? context.say(phrase.startUnrecorded()) };
  try {
    const changes = await listEntryChanges(
      await treeOf(context, run),
      await readManifest(context, digest),
      context.signal,
    );
    const bytes = Buffer.from(await textOf(context, { run, head: optional(row, 'head') }, changes));
    const sum = createHash('sha256').update(bytes).digest('hex');
    return { artifact: { path: differencePath, version: 0, type: undefined, digest: sum, size: bytes.length }, bytes };
  } catch (error) {
    context.signal.throwIfAborted();
    return { fault: messageOf(error) };
  }
}

type DifferenceRun = RunPlace & { readonly definition: Definition };

interface DifferencePlace {
  readonly run: DifferenceRun;
  /** The commit that was checked out when the run began. */
  readonly head: string | null;
}

async function textOf(context: Context, place: DifferencePlace, changes: readonly EntryChange[]): Promise<string> {
  if (changes.length === 0) return 'nothing has changed since the run began\n';
  const parts: string[] = [];
  let room = maxText;
  for (const one of changes.slice(0, maxNamed)) {
    const shown = room <= 0 ? '(not shown: the difference is too large)\n' : await changeText(context, place, one);
    room -= shown.length;
    parts.push(
      `${one.how} ${quotePath(one.path)}\n  ${describeEntry(one.before)} -> ${describeEntry(one.after)}\n${shown}`,
    );
  }
  const rest = changes.slice(maxNamed);
  if (rest.length > 0) {
    const sum = createHash('sha256').update(JSON.stringify(rest)).digest('hex');
    parts.push(`and ${rest.length} more, together sha256 ${sum}\n`);
  }
  return parts.join('\n');
}

const kinds = { f: 'file', x: 'program', l: 'link', o: 'other' } as const;

function describeEntry(thing: EntryChange['before']): string {
  return thing === undefined ? 'nothing' : `${kinds[thing.kind]} sha256 ${thing.digest}`;
}

/** Quotes a path: a name may contain line breaks and must not look like one of our own lines. */
function quotePath(path: string): string {
  return /[\p{Cc}"\\]/u.test(path) ? JSON.stringify(path) : path;
}

async function changeText(
  context: Context,
  place: DifferencePlace,
  { path, before, after }: EntryChange,
): Promise<string> {
  if (before?.digest === after?.digest) return '';
  const [was, is] = [await bytesBefore(context, place, path, before), await bytesNow(context, place, path, after)];
  if (is === undefined) return '(not shown: it cannot be read, has several hard links, or is too large)\n';
  const unknown = was === undefined ? '(what it was before is not known: all of it is shown)\n' : '';
  const texts = [was ?? Buffer.alloc(0), is];
  if (texts.some((one) => one.length > maxFile)) return '(not shown: too large)\n';
  if (texts.some((one) => one.includes(0) || !isUtf8(one))) return '(not shown: binary)\n';
  const [from = '', to = ''] = texts.map((one) => one.toString('utf8'));
  const name = quotePath(path);
  const names = [
    before === undefined ? '/dev/null' : `a/${name}`,
    after === undefined ? '/dev/null' : `b/${name}`,
  ] as const;
  return unknown + unifiedDiff(from, to, names);
}

/** Returns the earlier content of a file, from git or from evidence, if it has the recorded digest. */
async function bytesBefore(
  context: Context,
  { run, head }: DifferencePlace,
  path: string,
  before: EntryChange['before'],
): Promise<Buffer | undefined> {
  if (before === undefined) return Buffer.alloc(0);
  const fits = (bytes: Buffer | undefined) =>
    bytes !== undefined && createHash('sha256').update(bytes).digest('hex') === before.digest ? bytes : undefined;
  const blob = `${head}:./${path}`;
  const size = head === null ? undefined : await git(run.tree, context, ['cat-file', '-s', blob]);
  // Larger files are not shown.
  const small = size !== undefined && Number(size.toString()) <= maxFile;
  const committed = small ? await git(run.tree, context, ['cat-file', 'blob', blob]) : undefined;
  return fits(committed) ?? readKept(context.store, before.digest);
}

async function bytesNow(
  context: Context,
  { run }: DifferencePlace,
  path: string,
  after: EntryChange['after'],
): Promise<Buffer | undefined> {
  if (after === undefined) return Buffer.alloc(0);
  if (after.kind === 'o') return undefined;
  if (after.kind === 'l') return readlink(join(run.tree, path), { encoding: 'buffer' }).catch(() => undefined);
  const read = await readArtifact(context, run, path);
  if (typeof read === 'string') return read === 'empty' ? Buffer.alloc(0) : undefined;
  return read.artifact.digest === after.digest ? read.bytes : undefined;
}

/** Runs git; undefined if there is no repository or git fails. */
async function git(tree: string, { environment }: Context, args: readonly string[]): Promise<Buffer | undefined> {
  const { PATH, HOME, XDG_CONFIG_HOME } = environment;
  const repository = findRepository(tree, { PATH, HOME, XDG_CONFIG_HOME }, true);
  return repository === undefined ? undefined : runGit(repository, args).catch(() => undefined);
}
