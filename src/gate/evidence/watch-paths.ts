import { stat } from 'node:fs/promises';
import type { Context } from '../../kernel/context.ts';
import { text, readRows } from '../../kernel/store/row.ts';
import { parseDefinition } from '../definition/cache.ts';
import { type Definition, guardsOutOf } from '../definition/definition.ts';
import { pathsIn } from '../guards.ts';
import { confine } from './artifacts.ts';
import { treeOf } from '../run/tree.ts';

/** Watches only the newest open runs; agents do not wait at more than these. */
const maxRuns = 100;

/** The files that guards of the transitions out of a run's state look at. */
interface WatchedRun {
  readonly run: string;
  readonly state: string;
  readonly tree: string;
  readonly paths: readonly string[];
}

/** Lists the runs for which a guard's file came or went since the last call; the first call lists existing ones. */
export function watchPaths(): (context: Context) => Promise<readonly string[]> {
  const asked = new Map<string, PathsByState>();
  let head = -1;
  let watched: readonly WatchedRun[] = [];
  let known: ReadonlyMap<string, boolean> = new Map();
  return async (context) => {
    const now = await context.store.head();
    if (now !== head) watched = await readWatched(context, asked);
    head = now;
    const seen = new Map<string, boolean>();
    const changed = new Set<string>();
    for (const { run, state, tree, paths } of watched) {
      for (const path of paths) {
        const key = JSON.stringify([run, state, path]);
        const there = await isThere(tree, path);
        if (there !== (known.get(key) ?? false)) changed.add(run);
        seen.set(key, there);
      }
    }
    known = seen;
    return [...changed];
  };
}

/** Reads the runs and files to watch. It completes `asked`, the cache of the files that each state looks at. */
async function readWatched(context: Context, asked: Map<string, PathsByState>): Promise<readonly WatchedRun[]> {
  const rows = await readRows(
    context.store,
    `select id, state, tree, definition from run where project = :project and is_final = 0
        and (tree is null or tree <> '') order by id desc limit :most`,
    { project: context.project.key, most: maxRuns },
  );
  const digests = [...new Set(rows.map((row) => text(row, 'definition')))];
  const unknown = digests.filter((digest) => !asked.has(digest));
  const read = await context.store.read(
    unknown.map((digest) => ({ sql: 'select body from definition where digest = :digest', args: { digest } })),
  );
  unknown.forEach((digest, index) => {
    const body = read[index]?.[0];
    if (body !== undefined) asked.set(digest, askedIn(parseDefinition(digest, text(body, 'body'))));
  });
  for (const digest of asked.keys()) if (!digests.includes(digest)) asked.delete(digest);
  return rows.flatMap((row) => {
    const state = text(row, 'state');
    const paths = asked.get(text(row, 'definition'))?.get(state) ?? [];
    return paths.length === 0
      ? []
      : [{ run: text(row, 'id'), state, tree: treeOf(row['tree'], context.project), paths }];
  });
}

type PathsByState = ReadonlyMap<string, readonly string[]>;

function askedIn(definition: Definition): PathsByState {
  const pathsOut = (state: string) => [...new Set(pathsIn(guardsOutOf(definition, state), definition.guards))];
  return new Map(definition.states.map(({ name }) => [name, pathsOut(name)]));
}

/** Tells whether a guard would find the file, without reading its content. */
async function isThere(tree: string, path: string): Promise<boolean> {
  const file = await confine(tree, path);
  if (typeof file === 'string') return false;
  const info = await stat(file.absolute).catch(() => undefined); // Removed in between.
  return (info?.size ?? 0) > 0;
}
