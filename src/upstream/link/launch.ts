import { existsSync, realpathSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { isBelow } from '../../base/path.ts';
import { type Launch, type ConfinedStart, bareLaunch, confinePort } from '../../sandbox/port.ts';
import type { Context } from '../../kernel/context.ts';
import { wordsOf } from '../../kernel/text/text.ts';
import { findProgram } from '../../machine/find-program.ts';
import { Lost } from '../wire/message.ts';

/** Programs that run code from their working folder: scripts of its manifest, packages installed there. */
const runners = /^(npm|npx|pnpm|pnpx|yarn|bun|bunx|deno|uv|uvx|poetry|pipenv|cargo|go|make|just|task|bundle|rake)$/;

/** Prepares the start of an upstream: confined if it is in the project, since an agent may have written it. */
export async function launchUpstream(
  context: Context,
  start: ConfinedStart,
  marks: Readonly<Record<string, string>>,
): Promise<Launch> {
  const { root, tree } = context.project;
  if (!liesIn([root, tree], start)) return bareLaunch(start);
  const launch = await confinePort.of(context)(start);
  if ('refused' in launch) throw new Lost(wordsOf(launch.refused), false, { final: true });
  // The marks identify its processes; they are useless to code inside the sandbox.
  return { ...launch, env: { ...launch.env, ...marks } };
}

function liesIn(folders: readonly string[], { line, env }: ConfinedStart): boolean {
  const [program = '', ...args] = line;
  if (runners.test(basename(program))) return true;
  const [root = ''] = folders;
  const found = findProgram(program, env['PATH'] ?? '', root);
  // `--require=./x.js` names a file too.
  const named = args.flatMap((word) => [word, word.slice(word.indexOf('=') + 1)]).map((word) => resolve(root, word));
  const inside = (path: string) => folders.some((folder) => isBelow(realpathSync(path), realpathSync(folder)));
  return [...(found === undefined ? [] : [found]), ...named].some((path) => existsSync(path) && inside(path));
}
