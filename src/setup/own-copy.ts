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

/** The shim that hooks and servers start. It starts our copy in the data folder, which agents cannot write. */
export function shimOf(data: DataFolder): string {
  return join(data.app, 'sekisho');
}

/** The name of the copy that the shim starts; undefined if there is none. */
export function copyInUse(data: DataFolder): string | undefined {
  if (!existsSync(shimOf(data))) return undefined;
  const program = /^program='(.*)'$/m.exec(readFileSync(shimOf(data), 'utf8'))?.[1];
  return program === undefined || !existsSync(program) ? undefined : basename(dirname(dirname(program)));
}

/** The name of the copy of this program: its version and a digest. */
export function ownName(): string {
  const heads = ['cli.cjs', 'hook.cjs', 'host.cjs'].map((name) =>
    readFileSync(packagePath('dist', name)).subarray(0, 18),
  );
  return `${version}-${createHash('sha256').update(Buffer.concat(heads)).digest('hex').slice(0, 8)}`;
}

export function copyOf(data: DataFolder): string {
  return join(data.app, ownName());
}

/** Installs copy and shim. An existing copy stays as it is. */
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

/** Makes a copy of this package under a temporary name, and returns its folder. */
export function draftCopy(data: DataFolder): string {
  mkdirSync(data.app, { recursive: true, mode: 0o700 });
  const draft = mkdtempSync(join(data.app, '.new-'));
  try {
    const omitted = filesToOmit();
    // An entry of the code cache has the name of its source, and a digest.
    const wanted = (path: string) =>
      !path.includes('/.new-') && !omitted.has(basename(path).replace(/-[\da-f]{16}$/, ''));
    for (const part of parts.filter((one) => existsSync(packagePath(one))))
      cpSync(packagePath(part), join(draft, part), { recursive: true, filter: wanted });
    return draft;
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
}

/** Files that are not copied: binaries for other machines, which are most of a package, and in a clone files of earlier builds. */
function filesToOmit(): ReadonlySet<string> {
  const others = readdirSync(packagePath('dist', 'sqlite')).filter(
    (one) => one !== `${process.platform}-${process.arch}`,
  );
  const records = [packagePath('dist', '.stale.json'), packagePath('dist', 'web', '.stale.json')].filter(existsSync);
  const stale = records.flatMap((one) => Object.keys(JSON.parse(readFileSync(one, 'utf8')) as object));
  return new Set([...others, ...stale, '.stale.json']);
}

/** Renames a draft to the copy, and replaces a damaged copy. */
export function placeCopy(draft: string, copy: string, isDamaged: boolean): void {
  const old = `${draft}-old`;
  if (isDamaged) renameSync(copy, old);
  try {
    renameSync(draft, copy);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Another process was faster. The name has a digest, so its copy is the same.
    if (!existsSync(copy)) throw error;
  }
  rmSync(old, { recursive: true, force: true });
}

const hookVariables = [
  'HOME LANG LC_ALL LC_MESSAGES TZ AGENT_ID PROJECT_ID',
  'SEKISHO_DB SEKISHO_PROJECT SEKISHO_PROJECT_KEY SEKISHO_RUN_ID SEKISHO_LANG SEKISHO_HOOK_FAIL SEKISHO_SANDBOX',
  'PGPASSWORD PGPASSFILE PGUSER PGSSLMODE PGSSLROOTCERT',
  ...homeVariables,
  ...projectFolders,
  ...sessionVariables,
].join(' ');

/** Variables that make Node, a shell or the loader run other code first. A server keeps all others, for the agents that it starts. */
const unset = [
  'NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_V8_COVERAGE NODE_COMPILE_CACHE SEKISHO_CODE_CACHE',
  'BASH_ENV ENV SHELLOPTS CDPATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT OPENSSL_CONF OPENSSL_MODULES',
  'DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH',
].join(' ');

export function shimText(data: DataFolder): string {
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `#!/bin/sh
# Sekisho ${version}: the hooks and servers of agent CLIs start this. Written by "sekisho init"; run that again instead of editing it.
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
