import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { Problem, problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import { text, readRows } from '../../kernel/store/row.ts';
import type { Query, Row, Write } from '../../kernel/store/store.ts';
import { problem } from '../problem.ts';

/** The versions that a label has pointed at, oldest first; the last one is current. */
type Trail = readonly number[];

const longestTrail = 100;

interface Move {
  readonly version: number;
  readonly previous: number | undefined;
}

export function moveLabel(context: Context, name: string, label: string, to: number): Promise<Move> {
  return move(context, name, label, (trail) => pointAt(context, name, trail, to));
}

/** Moves a label back to the previous version with another text, or to the given version. */
export async function rollBack(context: Context, name: string, label: string, to: number | undefined): Promise<Move> {
  return move(context, name, label, async (trail) => {
    const known = to === undefined ? -1 : trail.lastIndexOf(to);
    if (known >= 0) return trail.slice(0, known + 1);
    if (to !== undefined) return pointAt(context, name, trail, to);
    const current = trail.at(-1);
    if (current === undefined) throw await noSuchLabel(context, name, label);
    const digests = new Map(await digestsOf(context, name, trail));
    // Versions with the current text are skipped.
    const at = trail.findLastIndex((version) => digests.get(version) !== digests.get(current));
    if (at < 0) throw problem.NO_EARLIER_VERSION({ prompt: name, label, version: current }, { prompt: name, label });
    return trail.slice(0, at + 1);
  });
}

async function pointAt(context: Context, name: string, trail: Trail, to: number): Promise<Trail> {
  const [found] = await digestsOf(context, name, [to]);
  if (found === undefined) throw await noSuchLabel(context, name, `version ${to}`);
  return appendVersion(trail, to);
}

async function move(
  context: Context,
  name: string,
  label: string,
  decide: (trail: Trail) => Promise<Trail>,
): Promise<Move> {
  return retry(
    async () => {
      const [rows = []] = await context.store.read([trailQuery(context, name, label)]);
      const trail = toTrail(rows[0]);
      const next = await decide(trail);
      const version = next.at(-1) ?? 0;
      const outcome = await context.store.commit(
        [labelWrite(context, name, label, trail, next)],
        [entry(context, `prompt:${name}`, 'prompt.labelled', { label, version })],
      );
      return outcome.done ? { version, previous: trail.at(-1) } : again;
    },
    () => kernelProblem.STORE_BUSY({ what: `${name} (${label})` }),
  );
}

/** Points a label at a version as part of a larger commit. A conflict if it has moved since `row` was read. */
export function labelTo(context: Context, name: string, label: string, row: Row | undefined, version: number): Write {
  const trail = toTrail(row);
  return labelWrite(context, name, label, trail, appendVersion(trail, version));
}

/** Removes a label. Readers that use it get "gone". */
export async function removeLabel(context: Context, name: string, label: string): Promise<void> {
  const outcome = await context.store.commit(
    [
      {
        sql: 'delete from prompt_label where project = :project and name = :name and label = :label',
        args: { project: context.project.key, name, label },
        rows: 1,
      },
    ],
    [entry(context, `prompt:${name}`, 'prompt.unlabelled', { label })],
  );
  if (!outcome.done) throw await noSuchLabel(context, name, label);
}

export async function readLabels(context: Context, name: string): Promise<Readonly<Record<string, number>>> {
  const rows = await readRows(
    context.store,
    'select label, version from prompt_label where project = :project and name = :name order by label',
    { project: context.project.key, name },
  );
  return Object.fromEntries(rows.map((row) => [text(row, 'label'), Number(row['version'])]));
}

export async function noSuchLabel(context: Context, name: string, label: string): Promise<Problem> {
  const known = Object.entries(await readLabels(context, name)).map(([one, version]) => `${one} (${version})`);
  return problem.LABEL_NOT_FOUND({ prompt: name, label, known }, { prompt: name, known_labels: known });
}

function appendVersion(trail: Trail, version: number): Trail {
  return (trail.at(-1) === version ? trail : [...trail, version]).slice(-longestTrail);
}

export function trailQuery(context: Context, name: string, label: string): Query {
  return {
    sql: 'select trail from prompt_label where project = :project and name = :name and label = :label',
    args: { project: context.project.key, name, label },
  };
}

function toTrail(row: Row | undefined): Trail {
  return row === undefined ? [] : text(row, 'trail').split(',').map(Number);
}

async function digestsOf(
  context: Context,
  name: string,
  versions: readonly number[],
): Promise<readonly (readonly [number, string])[]> {
  const query = (version: number): Query => ({
    sql: 'select version, digest from prompt_version where project = :project and name = :name and version = :version',
    args: { project: context.project.key, name, version },
  });
  const found = await context.store.read([...new Set(versions)].map(query));
  return found.flat().map((row) => [Number(row['version']), text(row, 'digest')]);
}

function labelWrite(context: Context, name: string, label: string, before: Trail, after: Trail): Write {
  return {
    sql: `insert into prompt_label (project, name, label, version, trail, at) values (:project, :name, :label, :version, :after, :at)
      on conflict (project, name, label) do update set version = excluded.version, trail = excluded.trail, at = excluded.at
      where prompt_label.trail = :before`,
    args: {
      project: context.project.key,
      name,
      label,
      version: after.at(-1) ?? 0,
      after: after.join(','),
      before: before.join(','),
      at: context.now().toISOString(),
    },
    rows: 1,
  };
}
