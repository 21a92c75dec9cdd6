import { guardsOutOf } from '../definition/definition.ts';
import { isUtf8 } from 'node:buffer';
import type { Context } from '../../kernel/context.ts';
import { unifiedDiff } from '../../base/difference.ts';
import { text, readRows } from '../../kernel/store/row.ts';
import { validApprovals } from '../approval/approval.ts';
import { readArtifact } from './artifacts.ts';
import { treeChanges } from '../worktree/baseline.ts';
import { differencePath } from './difference.ts';
import { readKept } from './kept-bytes.ts';
import type { CurrentEvidence } from './current-evidence.ts';
import type { HeldArtifact, Run, Snapshot } from '../run/runs.ts';
import { looksAtTree } from '../guards.ts';
import { phrase } from '../phrase.ts';

/** Line limit: a person reads this. */
const maxLines = 300;
/** Differences get more lines than other files: a change to a project is longer than a note about it. */
const maxDifference = 3000;
const maxLine = 400;
const maxChanges = 50;
/** Larger texts are not compared. */
const maxCompared = 1 << 20;

/** Formats the evidence for a reviewer, as lines. External content never begins a line, so it cannot imitate ours. */
export async function showEvidence(
  context: Context,
  snapshot: Snapshot,
  current: CurrentEvidence,
  missing: readonly string[],
): Promise<string> {
  const { run } = snapshot;
  const approved = validApprovals(snapshot.approvals, current.artifacts).map((one) => one.actor);
  const { say } = context;
  const lines = [
    line(`${run.definition.name} (${run.processId} ${run.processVersion}), ${run.id}`),
    line(say(phrase.shownState({ state: run.state, revision: run.revision }))),
    line(say(phrase.shownContext({ context: JSON.stringify(run.context) }))),
    ...(approved.length > 0 ? [line(say(phrase.shownApproved({ people: approved.join(', ') })))] : []),
    ...(missing.length > 0 ? [say(phrase.shownMissing()), ...missing.flatMap((one) => quoteLines(one, 20))] : []),
    ...(run.here
      ? await treeLines(context, run)
      : [say(run.placed ? phrase.shownElsewhere() : phrase.shownUnplaced())]),
  ];
  if (current.artifacts.length === 0) lines.push(say(phrase.shownNothing()));
  for (const file of current.artifacts) lines.push('', ...(await fileLines(context, run, file, current)));
  return lines.join('\n');
}

/** Lists evidence files that have changed or gone since they were submitted. */
export async function listChangedFiles(
  context: Context,
  run: Run,
  artifacts: readonly HeldArtifact[],
): Promise<readonly string[]> {
  const changed: string[] = [];
  for (const file of run.here ? artifacts : []) {
    // The difference is derived from the tree: if the tree has changed, the guards report it.
    if (file.path === differencePath) continue;
    const now = await readArtifact(context, run, file.path);
    if (typeof now === 'string' || now.artifact.digest !== file.digest) changed.push(file.path);
  }
  return changed;
}

async function fileLines(
  context: Context,
  run: Run,
  file: HeldArtifact,
  { keeper }: CurrentEvidence,
): Promise<readonly string[]> {
  const { say } = context;
  const { path, version, size, digest, actor } = file;
  const lines = [line(say(phrase.shownFile({ type: file.type ?? '-', path, version, size, digest, actor })))];
  const content = keeper.get(digest) ?? (await readKept(context.store, digest));
  if (path === differencePath) return [...lines, ...contentLines(context, content, maxDifference)];
  lines.push(...contentLines(context, content, maxLines));
  const before = await versionBefore(context, run, file);
  if (before !== undefined) {
    lines.push(say(phrase.shownDifference({ version: before.version })));
    lines.push(...differenceLines(context, await readKept(context.store, before.digest), content));
  }
  if (!run.here) return lines;
  const now = await readArtifact(context, run, path);
  if (typeof now === 'string') lines.push(line(say(phrase.shownGone({ path }))));
  else if (now.artifact.digest !== digest)
    lines.push(line(say(phrase.shownChanged({ path }))), ...differenceLines(context, content, now.bytes));
  return lines;
}

async function versionBefore(
  context: Context,
  run: Run,
  { path, version }: HeldArtifact,
): Promise<{ readonly version: number; readonly digest: string } | undefined> {
  const [row] = await readRows(
    context.store,
    'select version, digest from artifact_version where run_id = :run and path = :path and version = :version',
    { run: run.id, path, version: version - 1 },
  );
  return row === undefined ? undefined : { version: version - 1, digest: text(row, 'digest') };
}

/** Formats the changes that a worktree guard would find. */
async function treeLines(context: Context, run: Run): Promise<readonly string[]> {
  const { definition } = run;
  if (!looksAtTree(guardsOutOf(definition, run.state), definition.guards)) return [];
  const { say } = context;
  const found = await treeChanges(context, run);
  if ('fault' in found) return [line(say(phrase.guardWorktreeUnread({ fault: found.fault })))];
  if (found.changes.length === 0) return [say(phrase.shownTreeSame())];
  const more = found.changes.length - maxChanges;
  return [
    say(phrase.shownTree({ count: found.changes.length })),
    ...found.changes.slice(0, maxChanges).map(({ how, path }) => line(`  ${how}  ${path}`)),
    ...(more > 0 ? [`  ${say(phrase.shownMore({ lines: more }))}`] : []),
  ];
}

function contentLines({ say }: Context, bytes: Buffer | undefined, limit: number): readonly string[] {
  if (bytes === undefined) return [`  ${say(phrase.shownNotKept())}`];
  const shown = asText(bytes);
  return shown === undefined ? [`  ${say(phrase.shownBinary())}`] : cutLines(say, shown, limit);
}

function differenceLines(context: Context, before: Buffer | undefined, after: Buffer | undefined): readonly string[] {
  const { say } = context;
  if (before === undefined || after === undefined) return [`  ${say(phrase.shownNotKept())}`];
  const [was, is] = [asText(before), asText(after)];
  if (was === undefined || is === undefined) return [`  ${say(phrase.shownBinary())}`];
  if (before.length > maxCompared || after.length > maxCompared) return [`  ${say(phrase.shownTooLarge())}`];
  return cutLines(say, unifiedDiff(was, is, ['-', '+']).split('\n').slice(2).join('\n'), maxLines);
}

/** Decodes text; undefined if the bytes are not text. */
function asText(bytes: Buffer): string | undefined {
  return bytes.includes(0) || !isUtf8(bytes) ? undefined : bytes.toString('utf8');
}

function cutLines(say: Context['say'], content: string, limit: number): readonly string[] {
  const lines = quoteLines(content, Number.POSITIVE_INFINITY);
  if (lines.length <= limit) return lines;
  return [...lines.slice(0, limit), `  ${say(phrase.shownMore({ lines: lines.length - limit }))}`];
}

/** Prefixes each line with a mark, so that no line of a file looks like one of ours. */
function quoteLines(content: string, limit: number): readonly string[] {
  const lines = content.replace(/\n$/, '').split('\n');
  return lines.slice(0, limit).map((one) => `  | ${short(one)}`);
}

/** Escapes line breaks, which names may contain. */
function line(content: string): string {
  return short(content.replaceAll('\n', '\\n'));
}

function short(content: string): string {
  return content.length <= maxLine ? content : `${content.slice(0, maxLine)}… (+${content.length - maxLine})`;
}
