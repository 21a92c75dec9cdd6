import { spawn } from 'node:child_process';
import { devNull } from 'node:os';

/** A key and its value as `git config --list -z` prints them: `core.bare`, or `core.pager\nless`. */
export type ConfigEntry = string;

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

export function isProgram(entry: ConfigEntry): boolean {
  const [key, value] = split(entry);
  return (
    startsPrograms.some((one) => one.test(key)) || (startsWithMark.test(key) && value?.trim().startsWith('!') === true)
  );
}

export function keyOf(entry: ConfigEntry): string {
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
export function listConfig(text: string, git: string): Promise<readonly ConfigEntry[] | undefined> {
  return new Promise((resolve) => {
    const env = { GIT_DIR: devNull, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: devNull };
    const child = spawn(git, ['config', '--file', '-', '--no-includes', '--list', '-z'], {
      cwd: '/',
      env,
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    let listed = '';
    child.stdout.setEncoding('latin1').on('data', (chunk: string) => (listed += chunk));
    child.stdin.on('error', () => undefined); // Git can exit without reading.
    child.once('error', () => resolve(undefined));
    child.once('close', (code) => resolve(code === 0 ? listed.split('\0').slice(0, -1) : undefined));
    child.stdin.end(text, 'latin1');
  });
}

const escapes: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\t': String.raw`\t`, '\b': String.raw`\b` };

export function configText(entries: readonly ConfigEntry[]): string {
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
