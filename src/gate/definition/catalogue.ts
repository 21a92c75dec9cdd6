import { readdir, stat } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { isWithin } from '../../base/path.ts';
import type { FileTrust } from '../../kernel/trust.ts';
import type { Context } from '../../kernel/context.ts';
import { type DefinitionFile, readDefinition, unreadableDefinition } from './file.ts';
import { translateFinding } from './finding.ts';
import type { Definition } from './definition.ts';
import { packagePath } from '../../base/package.ts';
import { readRegular } from '../../machine/regular-file.ts';
import { problem } from '../problem.ts';
import { settings } from '../settings.ts';

export interface ListedDefinition extends DefinitionFile {
  readonly path: string;
  readonly shipped: boolean;
  /** If the file is not `trusted`, the definition is the version that a person last trusted. */
  readonly trust: FileTrust;
}

type DefinitionPlace = Pick<Context, 'settings' | 'project'>;

const shippedProcesses = packagePath('processes');
const parsedFiles = new Map<string, { readonly stamp: string; readonly file: DefinitionFile }>();

/** Lists definitions by precedence: the project's trusted versions, the shipped ones, then those never reviewed. */
export async function listDefinitions(context: DefinitionPlace): Promise<readonly ListedDefinition[]> {
  const found = (await listOwn(context)).flatMap(({ now, seen, ...one }): readonly ListedDefinition[] => {
    const file = seen ?? now;
    return file === undefined ? [] : [{ ...one, ...file }];
  });
  const shipped = await Promise.all(
    (await definitionPaths(shippedProcesses)).map(async (path): Promise<ListedDefinition> => ({
      ...(await loadFile(path, shippedName(path))),
      path,
      shipped: true,
      trust: 'trusted',
    })),
  );
  return [...found.filter((one) => one.trust !== 'never'), ...shipped, ...found.filter((one) => one.trust === 'never')];
}

export interface OwnFile {
  readonly path: string;
  readonly shipped: false;
  readonly trust: FileTrust;
  readonly now: DefinitionFile | undefined;
  readonly seen: DefinitionFile | undefined;
}

export async function listOwn(context: DefinitionPlace): Promise<readonly OwnFile[]> {
  const { root, trusted } = context.project;
  const seen = trusted();
  const found = new Map<string, OwnFile>();
  for (const source of settings.of(context).processes) {
    for (const path of await definitionPaths(source)) {
      const file = nameIn(root, path);
      const now = await loadFile(path, file);
      const before = seen.get(file);
      const trust = before === undefined ? 'never' : before.digest === now.digest ? 'trusted' : 'changed';
      const then = before && parseFile(file, before.digest, before.text);
      found.set(file, { path, shipped: false, trust, now, seen: then });
    }
    for (const [file, { digest, text }] of seen) {
      const path = resolve(root, file);
      if (found.has(file) || !isWithin(path, source)) continue;
      found.set(file, { path, shipped: false, trust: 'removed', now: undefined, seen: parseFile(file, digest, text) });
    }
  }
  return [...found.values()];
}

/** Returns the name under which the file is shown and trusted: relative to the project, absolute if it is outside. */
function nameIn(root: string, path: string): string {
  const name = relative(root, path);
  return name.startsWith('..') ? path : name;
}

function parseFile(file: string, digest: string, text: string): DefinitionFile {
  const key = `${file}\0${digest}`;
  const known = parsedFiles.get(key);
  if (known !== undefined) return known.file;
  const read = readDefinition(file, text);
  parsedFiles.set(key, { stamp: digest, file: read });
  return read;
}

/** Tells whether a shipped file has exactly this content. A name proves nothing, since any file can have it. */
export async function isShipped(digest: string): Promise<boolean> {
  for (const path of await definitionPaths(shippedProcesses)) {
    if ((await loadFile(path, shippedName(path))).digest === digest) return true;
  }
  return false;
}

function shippedName(path: string): string {
  return `shipped:${relative(shippedProcesses, path)}`;
}

/** Returns the first definition with that id in order of precedence; throws if there is none or if it is broken. */
export async function findDefinition(
  context: DefinitionPlace & Pick<Context, 'say'>,
  processId: string,
): Promise<ListedDefinition & { readonly definition: Definition }> {
  const all = await listDefinitions(context);
  const found = all.find((one) => one.id === processId);
  if (found === undefined) {
    const broken = all.filter((one) => one.definition === undefined);
    const known = new Set(all.filter((one) => one.definition !== undefined).map((one) => one.id ?? ''));
    throw problem.PROCESS_NOT_FOUND(
      { process_id: processId, known: [...known], broken: broken.map((one) => one.file) },
      {
        known_processes: [...known],
        ...(broken.length > 0 && {
          broken_files: broken.map((one) => ({
            file: one.file,
            problems: one.findings.map((finding) => translateFinding(finding, context.say)),
          })),
        }),
      },
    );
  }
  if (found.definition === undefined) {
    const findings = found.findings.filter((one) => one.severity === 'error');
    throw problem.PROCESS_INVALID(
      { process_id: processId, findings },
      { problems: findings.map((one) => translateFinding(one, context.say)) },
    );
  }
  return { ...found, definition: found.definition };
}

async function definitionPaths(source: string): Promise<readonly string[]> {
  const info = await stat(source).catch(() => undefined);
  if (info === undefined) return [];
  const names = info.isDirectory() ? await readdir(source, { recursive: true }).catch(() => undefined) : undefined;
  // The folder cannot be listed: return its path, so that it is reported like an unreadable file.
  if (names === undefined) return [source];
  return names
    .filter((name) => /\.ya?ml$/.test(name))
    .toSorted()
    .map((name) => join(source, name));
}

async function loadFile(path: string, shown: string): Promise<DefinitionFile> {
  const info = await stat(path, { bigint: true }).catch(() => undefined);
  const stamp = info === undefined ? '' : `${info.mtimeNs}:${info.size}:${info.ino}`;
  const known = parsedFiles.get(path);
  if (known !== undefined && known.stamp === stamp && known.file.file === shown) return known.file;
  const found = readRegular(path);
  if ('fault' in found) return unreadableDefinition(shown, found.fault);
  const file = readDefinition(shown, found.text);
  parsedFiles.set(path, { stamp, file });
  return file;
}
