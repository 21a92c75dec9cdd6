import { accessSync, constants, existsSync, readFileSync, rmSync } from 'node:fs';
import { lstat, readFile, readdir, readlink } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { isBelow } from '../base/path.ts';
import type { DataFolder } from '../config/data-folder.ts';
import { realPath } from '../config/locate.ts';
import type { Actor } from '../kernel/context.ts';
import { sha256 } from '../base/crypto.ts';
import { packagePath } from '../base/package.ts';
import type { Words } from '../kernel/text/text.ts';
import { version } from '../base/version.ts';
import { runProgram } from '../machine/run-program.ts';
import type { Fault } from '../store/verify.ts';
import { type Digests, type ProgramRecord, readPrograms, recordProgram } from '../user/program.ts';
import { copyOf, draftCopy, placeCopy, shimOf, shimText, writeShim } from './own-copy.ts';
import { type Owner, authorOf, withUserStore } from '../app/user/user-store.ts';

/** Requires proof of a person if these files differ from the recorded ones of the folder. */
type AskToReplace = (folder: string, files: Digests) => Promise<void>;

/** Installs copy and shim and records their digests. Only a person may replace a record: that could hide a change. */
export async function installProgram(owner: Owner, prove: () => Promise<Actor>): Promise<void> {
  const { data } = owner.place;
  const own = ownFolder();
  // The copy does not copy itself.
  if (isBelow(own, realPath(data.app))) return;
  await withUserStore(owner, async (store) => {
    const known = new Map((await readPrograms(store)).map((one) => [one.folder, one.files]));
    let by = authorOf(owner.user);
    const askToReplace: AskToReplace = async (folder, files) => {
      const before = known.get(folder) ?? files;
      if (compareFiles(before, files).length > 0 && !by.actor.person) by = { ...by, actor: await prove() };
    };
    const packages = isClone(own) ? [] : [own];
    for (const one of packages) await askToReplace(one, await digestsOf(one));
    await askToReplace(shimOf(data), { '': sha256(shimText(data)) });
    for (const one of packages) await warmUp(one);
    await makeCopy(data, known, askToReplace);
    writeShim(data);
    for (const folder of [...packages, copyOf(data), shimOf(data)]) {
      const files = await digestsOf(folder);
      if (JSON.stringify(files) !== JSON.stringify(known.get(folder)))
        await recordProgram(store, by, { folder, version: versionIn(folder) ?? version, files });
    }
  });
}

async function makeCopy(
  data: DataFolder,
  known: ReadonlyMap<string, Digests>,
  askToReplace: AskToReplace,
): Promise<void> {
  const copy = copyOf(data);
  const before = known.get(copy);
  if (before !== undefined && compareFiles(before, await digestsOf(copy)).length === 0) return warmUp(copy);
  const isDamaged = existsSync(copy);
  const draft = draftCopy(data);
  try {
    const files = Object.entries(await digestsOf(draft));
    // Without the code cache: V8 never produces the same bytes twice.
    await askToReplace(copy, Object.fromEntries(files.filter(([path]) => !path.startsWith(cache))));
    await warmUp(draft);
    placeCopy(draft, copy, isDamaged);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

const cache = join('dist', '.cache', sep);
const warmUpMs = 60_000;

/** Fills the code cache for this Node, if the folder is writable. Later runs only read it. */
async function warmUp(folder: string): Promise<void> {
  const dist = join(folder, 'dist');
  if (existsSync(join(dist, '.cache', `${process.version}-${process.arch}`)) || !isWritable(dist)) return;
  const line = [process.execPath, join(folder, 'bin', 'warm-up.cjs')];
  await runProgram(line, { env: { PATH: '/usr/bin:/bin' }, timeoutMs: warmUpMs, onOutput: () => undefined });
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

export function ownFolder(): string {
  return realPath(packagePath());
}

/** Whether the folder is a clone of the sources, not a package. A clone is rebuilt all the time. */
export function isClone(folder: string): boolean {
  return ['.git', 'src'].some((name) => existsSync(join(folder, name)));
}

export interface ExaminedProgram {
  readonly records: readonly ProgramRecord[];
  readonly faults: readonly Fault[];
  /** Packages of another version than recorded: they were updated, or made to look so. */
  readonly updates: readonly Fault[];
}

/** Compares every file with its record. Folders that are gone, such as older copies, are skipped: they cannot run. */
export async function examineProgram(owner: Owner): Promise<ExaminedProgram> {
  const { userDatabase, app } = owner.place.data;
  if (!existsSync(userDatabase)) return { records: [], faults: [], updates: [] };
  const records = await withUserStore(owner, readPrograms);
  const faults: Fault[] = [];
  const updates: Fault[] = [];
  for (const { folder, version: before, files } of records.filter((one) => existsSync(one.folder))) {
    const now = isBelow(folder, app) ? before : versionIn(folder);
    if (now !== undefined && now !== before) updates.push(faultOf(folder, 'changed', updateText(before, now)));
    else
      for (const { path, damage } of compareFiles(files, await digestsOf(folder)))
        faults.push(faultOf(join(folder, path), damage, notAsInstalled));
  }
  return { records, faults, updates };
}

function versionIn(folder: string): string | undefined {
  try {
    const about = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly version?: unknown };
    return typeof about.version === 'string' ? about.version : undefined;
  } catch {
    return undefined; // package.json is damaged or missing; comparing the files reports it.
  }
}

function faultOf(path: string, damage: Fault['damage'], detail: Words): Fault {
  return { table: 'program', key: [path], damage, detail };
}

const notAsInstalled: Words = {
  en: 'differs from what init recorded; install Sekisho again, then run sekisho init',
  ja: 'init が記録した内容と違います。Sekisho をインストールし直してから sekisho init を実行してください',
};

function updateText(before: string, now: string): Words {
  return {
    en: `init recorded version ${before}, this is ${now}; if you updated it, run sekisho init`,
    ja: `init が記録したバージョンは ${before} ですが、現在は ${now} です。更新した場合は sekisho init を実行してください`,
  };
}

/** Compares digests. A removed code cache is no difference: it only costs time. */
function compareFiles(before: Digests, now: Digests) {
  const damageOf = (path: string): Fault['damage'] =>
    before[path] === undefined ? 'added' : now[path] === undefined ? 'removed' : 'changed';
  return Object.keys({ ...before, ...now })
    .filter((path) => before[path] !== now[path] && (now[path] !== undefined || !path.startsWith(cache)))
    .map((path) => ({ path, damage: damageOf(path) }));
}

/** The digests of all files in a folder; empty if there is none. A symbolic link is recorded by its target, not followed. */
async function digestsOf(folder: string): Promise<Digests> {
  const found: Record<string, string> = {};
  const visit = async (path: string): Promise<void> => {
    const at = join(folder, path);
    const kind = await lstat(at);
    if (kind.isDirectory()) for (const name of (await readdir(at)).toSorted()) await visit(join(path, name));
    else if (kind.isFile()) found[path] = sha256(await readFile(at));
    else found[path] = kind.isSymbolicLink() ? `link:${await readlink(at)}` : 'special';
  };
  if (existsSync(folder)) await visit('');
  return found;
}
