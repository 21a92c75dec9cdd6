import { matchName } from '../gate/light.ts';

/** The word of a command line that names Sekisho's folder, also through quotes, escapes, braces and wildcards. */
export function namesProtected(command: string, homeName: string): string | undefined {
  return wordsOf(command).find(
    (word) => isBraced(word) || word.split(',').some((piece) => namesFolder(piece, homeName)),
  );
}

/** What the shell would see: once with every variable as a gap, once with every variable empty or at its default (`.seki$@sho`). */
export function wordsOf(command: string): readonly string[] {
  const bare = command.replaceAll(/\\\r?\n/g, '').replaceAll(/["'\\]/g, '');
  const emptied = bare.replaceAll(/\$\{\w+:?[-+=?]([^}]*)\}/g, '$1').replaceAll(/\$(?:\{\w+\}|\w+|[@*#?!$-])/g, '');
  return [...new Set([bare.replaceAll(/\$\{\w+\}/g, '$'), emptied])].flatMap((one) => one.split(/[\s;|&<>()=:`$]+/));
}

export function namesFolder(word: string, homeName: string): boolean {
  const names = [...new Set(['.sekisho', homeName.startsWith('.') ? homeName.toLowerCase() : '.sekisho'])];
  return word
    .toLowerCase()
    .split(/[/\\]/)
    .some((part) => names.some((name) => part === name || couldExpandTo(part, name)));
}

/** `.{x,sekisho}`, `{.,x}sekisho`: what braces make of a word is more than can be told here. */
function isBraced(word: string): boolean {
  return word.includes('{') && word.toLowerCase().includes('sekisho');
}

/** `.sek*`, `.[s]ekisho`, `.{sekisho,x}` (cut at its comma). Fewer letters are more often a regular expression. */
function couldExpandTo(part: string, name: string): boolean {
  if (!part.replace('{', '').startsWith('.')) return false;
  if (part.includes('{')) {
    const begun = part.replaceAll(/[{}]/g, '');
    return begun.length > 2 && name.startsWith(begun);
  }
  const pattern = part.replaceAll(/\[[^\]]*\]/g, '?');
  return /[*?]/.test(pattern) && pattern.replaceAll(/[^a-z]/g, '').length > 1 && matchName(pattern, name);
}

/** Programs that only print, whatever their arguments, but for the flags beside them. */
const plainReaders: Readonly<Record<string, RegExp | undefined>> = {
  cat: undefined,
  ls: undefined,
  head: undefined,
  tail: undefined,
  grep: undefined,
  egrep: undefined,
  fgrep: undefined,
  rg: /^--pre/,
  wc: undefined,
  stat: undefined,
  file: /^-\w*C|^--compile/,
  du: undefined,
  diff: /^--output/,
  cmp: undefined,
  sha256sum: undefined,
  md5sum: undefined,
  od: undefined,
  cut: undefined,
  jq: undefined,
  tree: /^-o/,
  find: /^-(delete|exec|execdir|ok|okdir|fprint|fprint0|fprintf|fls)$/,
  realpath: undefined,
  readlink: undefined,
  basename: undefined,
  dirname: undefined,
  echo: undefined,
  printf: /^-v/,
  pwd: undefined,
  cd: undefined,
  test: undefined,
  true: undefined,
};

const gitReaders = ['status', 'diff', 'log', 'show', 'ls-files', 'blame', 'check-ignore', 'rev-parse'];

/** A command line of plain readers and nothing else. What cannot be told apart from a write counts as one. */
export function onlyReads(command: string): boolean {
  const text = command.replaceAll(/(?:\d|&)?>>?\s*(?:\/dev\/null|&\d)(?=\s|$|[;|&])/g, ' ');
  // A variable can become any flag: `-delet$@e`.
  if (/[<>`$]|^\s*$/.test(text)) return false;
  return simpleCommands(text).every(isPlainReader);
}

export function simpleCommands(command: string): readonly string[] {
  return command.split(/\|\||&&|[;|&\n]/).filter((one) => one.trim() !== '');
}

function isPlainReader(simple: string): boolean {
  const [program = '', ...words] = simple.trim().split(/\s+/);
  const flags = words.map((word) => word.replaceAll(/["'\\]/g, ''));
  if (program === 'git')
    return gitReaders.includes(flags[0] ?? '') && !flags.some((flag) => /^(--output|--ext-diff|--textconv)/.test(flag));
  if (!Object.hasOwn(plainReaders, program)) return false;
  const forbidden = plainReaders[program];
  return forbidden === undefined || !flags.some((flag) => forbidden.test(flag));
}
