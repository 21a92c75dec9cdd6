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
import { projectFolders, sessionVariables } from '../fleet/agents.ts';
import { endUnasked } from '../hook/invocation.ts';
import { packaged } from '../kernel/package.ts';
import { version } from '../kernel/version.ts';

/**
 * A copy of this package in the data folder, and the shim that hooks and servers start. They must be there when the
 * package is moved, updated or not on a client's PATH, and where agents work nobody may write them.
 */
export interface OwnCopy {
  readonly shim: string;
  /** `<version>-<build>`. */
  readonly name: string;
  /** False where it was there already. */
  readonly made: boolean;
}

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
  const heads = ['cli.cjs', 'hook.cjs', 'host.cjs'].map((name) => readFileSync(packaged('dist', name)).subarray(0, 18));
  return `${version}-${createHash('sha256').update(Buffer.concat(heads)).digest('hex').slice(0, 8)}`;
}

export function installCopy(data: DataFolder, node: string = process.execPath): OwnCopy {
  const name = ownName();
  const folder = join(data.app, name);
  mkdirSync(data.app, { recursive: true, mode: 0o700 });
  const made = !existsSync(folder);
  if (made) copyPackage(folder);
  const shim = shimOf(data);
  const text = shimText({ node, program: join(folder, 'bin', 'sekisho'), data: data.path });
  if (!existsSync(shim) || readFileSync(shim, 'utf8') !== text) {
    const draft = `${shim}.${process.pid}.new`;
    writeFileSync(draft, text);
    chmodSync(draft, 0o755);
    renameSync(draft, shim);
  }
  return { shim, name, made };
}

const parts = ['bin', 'dist', 'processes', 'prompts', 'package.json', 'LICENSE'];

function copyPackage(folder: string): void {
  const draft = mkdtempSync(join(dirname(folder), '.new-'));
  try {
    const others = readdirSync(packaged('dist', 'sqlite')).filter(
      (one) => one !== `${process.platform}-${process.arch}`,
    );
    // Binaries of other machines are most of it.
    const wanted = (path: string) => !path.includes('/.new-') && !others.includes(basename(path));
    for (const part of parts.filter((one) => existsSync(packaged(one))))
      cpSync(packaged(part), join(draft, part), { recursive: true, filter: wanted });
    renameSync(draft, folder);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    // Somebody was faster: the name says that it is the same.
    if (!existsSync(folder)) throw error;
  }
}

/** All that a hook may be told by whoever starts its client. */
const hookVariables = [
  'HOME LANG LC_ALL LC_MESSAGES TZ AGENT_ID PROJECT_ID',
  'SEKISHO_DB SEKISHO_PROJECT SEKISHO_PROJECT_KEY SEKISHO_RUN_ID SEKISHO_LANG SEKISHO_HOOK_FAIL SEKISHO_SANDBOX',
  'PGPASSWORD PGPASSFILE PGUSER PGSSLMODE PGSSLROOTCERT',
  ...projectFolders,
  ...sessionVariables,
].join(' ');

/** What makes Node, a shell or the loader run something else first. A server keeps the rest: agents that it starts need it. */
const unset = [
  'NODE_OPTIONS NODE_PATH NODE_REPL_EXTERNAL_MODULE NODE_V8_COVERAGE NODE_COMPILE_CACHE SEKISHO_CODE_CACHE',
  'BASH_ENV ENV SHELLOPTS CDPATH LD_PRELOAD LD_LIBRARY_PATH LD_AUDIT OPENSSL_CONF OPENSSL_MODULES',
  'DYLD_INSERT_LIBRARIES DYLD_LIBRARY_PATH DYLD_FRAMEWORK_PATH',
].join(' ');

function shimText({
  node,
  program,
  data,
}: {
  readonly node: string;
  readonly program: string;
  readonly data: string;
}): string {
  const quote = (text: string) => `'${text.replaceAll("'", String.raw`'\''`)}'`;
  return `#!/bin/sh
# Sekisho ${version}: what the hooks and servers of agent CLIs start. Written by "sekisho init"; run that again instead of editing it.
node=${quote(node)}
program=${quote(program)}
SEKISHO_DATA=${quote(data)}
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
