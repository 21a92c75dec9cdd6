import { randomUUID } from 'node:crypto';
import { chmodSync, closeSync, constants, openSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { readBytes } from '../machine/regular-file.ts';
import { spawn } from 'node:child_process';
import { devNull } from 'node:os';

// Changes to folders that a process in the sandbox can change at the same time. Paths are bytes, one per character.

export function bytesOf(path: string): Buffer {
  return Buffer.from(path, 'latin1');
}

/** O_PATH: Linux opens even an unreadable folder with it. */
const pathOnly = 0o10000000;

/**
 * Acts in a folder that is opened from `root` step by step and never through a link: otherwise a process inside could make us
 * change the person's files, by placing a link at the right moment. macOS has no such paths and no protection against that.
 */
function inFolder<T>(root: string, folder: string, act: (held: string) => T): T {
  if (process.platform !== 'linux') return act(folder);
  const flags = pathOnly | constants.O_DIRECTORY | constants.O_NOFOLLOW;
  let held = openSync(bytesOf(root), flags);
  try {
    for (const name of relative(root, folder).split('/')) {
      if (name === '') continue;
      const next = openSync(bytesOf(`/proc/self/fd/${held}/${name}`), flags);
      closeSync(held);
      held = next;
    }
    return act(`/proc/self/fd/${held}`);
  } finally {
    closeSync(held);
  }
}

export function openUp(root: string, folder: string): void {
  inFolder(root, folder, openHeld);
}

function openHeld(held: string): void {
  const { mode } = statSync(bytesOf(held));
  if ((mode & 0o700) !== 0o700) chmodSync(bytesOf(held), mode | 0o700);
}

/** Renames a file, a link or a folder, so that git does not find it. */
export function setAside(root: string, path: string): void {
  const name = basename(path);
  inFolder(root, dirname(path), (held) => {
    openHeld(held);
    const aside = `${name.slice(0, 100)}.sekisho-removed-${randomUUID().slice(0, 8)}`;
    renameSync(bytesOf(join(held, name)), bytesOf(join(held, aside)));
  });
}

/**
 * Renames the keys of a configuration that start programs, except those that `before` has with the same value. Returns their
 * names. A file that git cannot read is renamed as a whole, and so is any file if there is no git to ask.
 */
export async function disableConfig(
  root: string,
  path: string,
  before: string,
  git: string | undefined,
): Promise<readonly string[]> {
  const [folder, name] = [dirname(path), basename(path)];
  const read = inFolder(root, folder, (held) => {
    openHeld(held);
    return readBytes(bytesOf(join(held, name)));
  });
  const listed = 'fault' in read || git === undefined ? undefined : await listConfig(read.text, git);
  if (listed === undefined || git === undefined) {
    setAside(root, path);
    return [name];
  }
  const known = new Set(await listConfig(before, git));
  const disabled = listed.filter((entry) => isProgram(entry) && !known.has(entry));
  if (disabled.length === 0) return [];
  const text = configText(listed.map((entry) => (disabled.includes(entry) ? `sekisho-removed.${entry}` : entry)));
  inFolder(root, folder, (held) => {
    const fresh = bytesOf(join(held, `${name}.${randomUUID()}`));
    writeFileSync(fresh, text, { encoding: 'latin1', flag: 'wx', mode: 0o644 });
    renameSync(fresh, bytesOf(join(held, name)));
  });
  return [...new Set(disabled.map(keyOf))];
}

/** A key and its value as `git config --list -z` prints them: `core.bare`, or `core.pager\nless`. */
type ConfigEntry = string;

/** Keys that make git, or a tool beside it, start a program, read more configuration, or let a URL start a program. */
const startsPrograms: readonly RegExp[] = [
  /^core\.(fsmonitor|hookspath|pager|editor|askpass|gitproxy)$/,
  /^(sequence\.editor|diff\.external|interactive\.difffilter|init\.templatedir|(help|web|instaweb)\.browser)$/,
  /^(include|includeif|pager|hook|sendemail|imap|instaweb|lfs\.customtransfer|lfs\.extension)\./,
  /^protocol\.(.*\.)?allow$/s,
  /^remote\..*\.(uploadpack|receivepack|vcs|proxy)$/s,
  /^(browser|man|difftool|mergetool|guitool)\..*\.path$/s,
  // core.sshCommand, gpg.program, credential.helper, uploadpack.packObjectsHook, filter.x.clean, merge.x.driver …
  /\.([\w-]*(command|cmd|prog|program|helper|hook)|driver|textconv|clean|smudge|process)$/,
];

/** Keys that start a program only if the value begins with "!". */
const startsWithMark = /^(alias\.|submodule\..*\.update$)/s;

function isProgram(entry: ConfigEntry): boolean {
  const [key, value] = split(entry);
  return (
    startsPrograms.some((one) => one.test(key)) || (startsWithMark.test(key) && value?.trim().startsWith('!') === true)
  );
}

function keyOf(entry: ConfigEntry): string {
  return split(entry)[0];
}

function split(entry: ConfigEntry): readonly [string, string | undefined] {
  const at = entry.indexOf('\n');
  return at === -1 ? [entry, undefined] : [entry.slice(0, at), entry.slice(at + 1)];
}

/**
 * The entries that git reads from a text; undefined if it cannot. Git itself parses it, since only git knows its syntax, but it
 * gets nothing but the text: it runs outside of any repository and follows no includes. Texts are bytes, one per character.
 */
function listConfig(text: string, git: string): Promise<readonly ConfigEntry[] | undefined> {
  return new Promise((resolve) => {
    const env = { GIT_DIR: devNull, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull };
    const args = ['config', '--file', '-', '--no-includes', '--list', '-z'];
    const child = spawn(git, args, { cwd: '/', env, stdio: ['pipe', 'pipe', 'ignore'] });
    let listed = '';
    child.stdout.setEncoding('latin1').on('data', (chunk: string) => (listed += chunk));
    child.stdin.on('error', () => undefined); // Git can exit without reading.
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code === 0 ? listed.split('\0').slice(0, -1) : undefined));
    child.stdin.end(text, 'latin1');
  });
}

const escapes: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\t': String.raw`\t`, '\b': String.raw`\b` };

function configText(entries: readonly ConfigEntry[]): string {
  return entries
    .map((entry) => {
      const [key, value] = split(entry);
      const [first, last] = [key.indexOf('.'), key.lastIndexOf('.')];
      const between = first === last ? '' : ` "${key.slice(first + 1, last).replaceAll(/[\\"]/g, String.raw`\$&`)}"`;
      const quoted = value?.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll(/[\n\t\b]/g, (one) => escapes[one] ?? one);
      return `[${key.slice(0, first)}${between}]\n\t${key.slice(last + 1)}${quoted === undefined ? '' : ` = "${quoted}"`}\n`;
    })
    .join('');
}
