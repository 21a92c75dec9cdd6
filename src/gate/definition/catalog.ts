import { readFile, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { Context } from '../../kernel/context.ts';
import type { DefinitionFile } from './file.ts';
import { readDefinition } from './file.ts';
import type { Definition } from './definition.ts';
import { packaged } from '../../kernel/package.ts';
import { problem } from '../problem.ts';
import { settings } from '../settings.ts';

export interface Listed extends DefinitionFile {
  readonly path: string;
  readonly shipped: boolean;
}

const shippedProcesses = packaged('processes');
const parsed = new Map<string, { readonly stamp: string; readonly file: DefinitionFile }>();

/** Every definition file that can be found now, the project's own before the shipped ones. Files may change at any time. */
export async function listDefinitions(context: Pick<Context, 'settings' | 'project'>): Promise<readonly Listed[]> {
  const found: Listed[] = [];
  for (const source of settings.of(context).processes) {
    for (const path of await definitionPaths(source))
      found.push({ ...(await load(path, relative(context.project.root, path))), path, shipped: false });
  }
  for (const path of await definitionPaths(shippedProcesses)) {
    found.push({
      ...(await load(path, shippedName(path))),
      path,
      shipped: true,
    });
  }
  return found;
}

/** Does a file with exactly this content come with the product? By content, since a name can be given to anything. */
export async function isShipped(digest: string): Promise<boolean> {
  for (const path of await definitionPaths(shippedProcesses)) {
    if ((await load(path, shippedName(path))).digest === digest) return true;
  }
  return false;
}

function shippedName(path: string): string {
  return `shipped:${relative(shippedProcesses, path)}`;
}

/** The first usable definition of that id. A broken one of the project's own hides a shipped one rather than being passed over. */
export async function findDefinition(
  context: Pick<Context, 'settings' | 'project'>,
  processId: string,
): Promise<Listed & { readonly definition: Definition }> {
  const all = await listDefinitions(context);
  const found = all.find((one) => one.id === processId);
  if (found === undefined) {
    const broken = all.filter((one) => one.definition === undefined);
    const known = new Set(all.filter((one) => one.definition !== undefined).map((one) => one.id ?? ''));
    throw problem.PROCESS_NOT_FOUND(
      { process_id: processId, known: [...known], broken: broken.map((one) => one.file) },
      {
        known_processes: [...known],
        ...(broken.length > 0 && { broken_files: broken.map((one) => ({ file: one.file, problems: one.findings })) }),
      },
    );
  }
  if (found.definition === undefined) {
    const findings = found.findings.filter((one) => one.severity === 'error');
    throw problem.PROCESS_INVALID({ process_id: processId, findings }, { problems: findings });
  }
  return { ...found, definition: found.definition };
}

async function definitionPaths(source: string): Promise<readonly string[]> {
  const info = await stat(source).catch(() => undefined);
  if (info === undefined) return [];
  if (!info.isDirectory()) return [source];
  const names = await readdir(source, { recursive: true });
  return names
    .filter((name) => /\.ya?ml$/.test(name))
    .toSorted()
    .map((name) => join(source, name));
}

async function load(path: string, shown: string): Promise<DefinitionFile> {
  const info = await stat(path, { bigint: true });
  const stamp = `${info.mtimeNs}:${info.size}:${info.ino}`;
  const known = parsed.get(path);
  if (known?.stamp === stamp && known.file.file === shown) return known.file;
  const file = readDefinition(shown, await readFile(path, 'utf8'));
  parsed.set(path, { stamp, file });
  return file;
}
