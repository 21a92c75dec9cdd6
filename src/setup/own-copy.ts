import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DataFolder } from '../config/data-folder.ts';
import { homeVariables, projectFolders, sessionVariables } from '../fleet/agents.ts';
import { endUnasked } from './invocation.ts';
import { packagePath } from '../base/package.ts';
import { version } from '../base/version.ts';

/**
 * The shim that hooks and servers start. It leads to a copy of this package in the data folder: they must be there when the
 * package is moved, updated or not on a client's PATH, and where agents work nobody may write them.
 */
export function shimOf(data: DataFolder): string {
  return join(data.app, 'sekisho');
}

/** The copy that the shim leads to; undefined where there is none. */
export function copyInUse(data: DataFolder): string | undefined {
  if (!existsSync(shimOf(data))) return undefined;
  const program = /^program='(.*)'$/m.exec(readFileSync(shimOf(data), 'utf8'))?.[1];
  return program === undefined || !existsSync(program) ? undefined : basename(dirname(dirname(program)));
}

/** What `installCopy` would name this very program. */
export function ownName(): string {
  const heads = ['cli.cjs', 'hook.cjs', 'host.cjs'].map((name) =>
    readFileSync(packagePath('dist', name)).subarray(0, 18),
  );
  return `${version}-${createHash('sha256').update(Buffer.concat(heads)).digest('hex').slice(0, 8)}`;
}

/** Where this very program has its copy. */
export function copyOf(data: DataFolder): string {
  return join(data.app, ownName());
}

/** Copy and shim. A copy that is there already stays as it is. */
export function installCopy(data: DataFolder): void {
  if (!existsSync(copyOf(data))) placeCopy(draftCopy(data), copyOf(data), false);
  writeShim(data);
}

export function writeShim(data: DataFolder): void {
  const shim = shimOf(data);
  const text = shimText(data);
  if (existsSync(shim) && readFileSync(shim, 'utf8') === text) return;
  const draft = `${shim}.${process.pid}.new`;
  writeFileSync(draft, text);
  chmodSync(draft, 0o755);
  renameSync(draft, shim);
}

const parts = ['bin', 'dist', 'processes', 'prompts', 'package.json', 'LICENSE'];

/** A copy of this package that nobody uses yet. */
export function draftCopy(data: DataFolder): string {
  mkdirSync(data.app, { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(join(data.app, '.new-'));
  try {
    const left = leftBehind();
    // A code cache has the name of its source, and a digest.
    const wanted = (path: string) => !path.includes('/.new-') && !left.has(basename(path).replace(/-[\da-f]{16}$/, ''));
    for (const part of parts.filter((one) => existsSync(packagePath(one))))
      cpSync(packagePath(part), join(draft, part), { recursive: true, filter: wanted });
    return draft;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Binaries of other machines, which are most of a package; in a clone what earlier builds have left. */
function leftBehind(): ReadonlySet<string> {
  const others = readdirSync(packagePath('dist', 'sqlite')).filter(
    (one) => one !== `${process.platform}-${process.arch}`,
  );
  const records = [packagePath('dist', '.stale.json'), packagePath('dist', 'web', '.stale.json')].filter(existsSync);
  const stale = records.flatMap((one) => Object.keys(JSON.parse(readFileSync(one, 'utf8')) as object));
  return new Set([...others, ...stale, '.stale.json']);
}

/** Makes a draft the copy, in place of a damaged one. */
export function placeCopy(draft: string, copy: string, isDamaged: boolean): void {
  const old = `${draft}-old`;
  if (isDamaged) renameSync(copy, old);
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Somebody was faster: the name says that it is the same.
    if (!existsSync(copy)) throw error;
  }
  rmSync(old, { recursive: true, force: true });
}

/** All that a hook may be told by whoever starts its client. */
const hookVariables = [
  'HOME LANG LC_ALL LC_MESSAGES TZ AGENT_ID PROJECT_ID',
  'SEKISHO_DB SEKISHO_PROJECT SEKISHO_PROJECT_KEY SEKISHO_RUN_ID SEKISHO_LANG SEKISHO_HOOK_FAIL SEKISHO_SANDBOX',
  'PGPASSWORD PGPASSFILE PGUSER PGSSLMODE PGSSLROOTCERT',
  ...homeVariables,
  ...projectFolders,
  ...sessionVariables,
].join(' ');

/** What makes Node, a shell or the loader run something else first. A server keeps the rest: agents that it starts need it. */
const unset = [
  'NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_V8_COVERAGE NODE_COMPILE_CACHE SEKISHO_CODE_CACHE',
  'BASH_ENV ENV SHELLOPTS CDPATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT OPENSSL_CONF OPENSSL_MODULES',
  'DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH',
].join(' ');

export function shimText(data: DataFolder): string {
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `#!/bin/sh
# Sekisho ${version}: what the hooks and servers of agent CLIs start. Written by "sekisho init"; run that again instead of editing it.
node=${quote(process.execPath)}
program=${quote(join(copyOf(data), 'bin', 'sekisho'))}
SEKISHO_DATA=${quote(data.path)}
export SEKISHO_DATA
unset ${unset}
if [ ! -x "$node" ] || [ ! -r "$program" ]; then
  echo "Sekisho cannot start: $node or $program is gone. Run: sekisho init" >&2
  ${endUnasked}
fi
if [ "$1" = hook ]; then
  set -- "$node" "$program" "$@"
  for name in SEKISHO_DATA ${hookVariables}; do
    eval "value=\\\${$name-}"
    [ -z "$value" ] || set -- "$name=$value" "$@"
  done
  exec /usr/bin/env -i "$@"
fi
exec "$node" "$program" "$@"
`;
}
