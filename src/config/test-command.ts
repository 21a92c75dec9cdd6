import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject } from '../base/json-object.ts';
import { problem } from '../kernel/problem.ts';
import type { Words } from '../kernel/text/text.ts';

/** A command that would run a project's tests, and the file that says so. */
export interface FoundTest {
  readonly words: readonly string[];
  readonly because: string;
}

/** Test commands that the files of a folder suggest, likeliest first. */
export function findTestCommands(folder: string): readonly FoundTest[] {
  return [nodeTest, pytest, cargo, go, make].flatMap((find) => find(folder) ?? []);
}

const managers: Readonly<Record<string, string>> = {
  'pnpm-lock.yaml': 'pnpm',
  'yarn.lock': 'yarn',
  'package-lock.json': 'npm',
};

function nodeTest(folder: string): FoundTest | undefined {
  const script = scriptOf(textIn(folder, 'package.json'));
  // The placeholder that `npm init` writes.
  if (script === undefined || script.includes('no test specified')) return undefined;
  const lock = Object.keys(managers).find((name) => existsSync(join(folder, name)));
  const manager = managers[lock ?? ''] ?? 'npm';
  return { words: [manager, 'test'], because: ['package.json', ...(lock === undefined ? [] : [lock])].join(', ') };
}

function scriptOf(text: string): string | undefined {
  try {
    const whole: unknown = JSON.parse(text);
    const scripts = isJsonObject(whole) ? whole['scripts'] : undefined;
    const script = isJsonObject(scripts) ? scripts['test'] : undefined;
    return typeof script === 'string' ? script : undefined;
  } catch {
    return undefined; // It does not exist, or no package manager could read it either.
  }
}

/** Files in which a project configures or requires pytest. */
const pytestFiles: Readonly<Record<string, RegExp>> = {
  'pytest.ini': /^/,
  'conftest.py': /^/,
  'tests/conftest.py': /^/,
  'pyproject.toml': /^\s*\[tool\.pytest|^[^#\n]*["']pytest\b|^\s*pytest\s*=/m,
  'tox.ini': /^\s*\[pytest\]/m,
  'setup.cfg': /^\s*\[tool:pytest\]/m,
  'requirements.txt': /^pytest\b/m,
  'requirements-dev.txt': /^pytest\b/m,
};

function pytest(folder: string): FoundTest | undefined {
  const found = Object.entries(pytestFiles).find(
    ([name, says]) => existsSync(join(folder, name)) && says.test(textIn(folder, name)),
  );
  return found === undefined ? undefined : { words: ['pytest'], because: found[0] };
}

function cargo(folder: string): FoundTest | undefined {
  return existsSync(join(folder, 'Cargo.toml')) ? { words: ['cargo', 'test'], because: 'Cargo.toml' } : undefined;
}

function go(folder: string): FoundTest | undefined {
  return existsSync(join(folder, 'go.mod')) ? { words: ['go', 'test', './...'], because: 'go.mod' } : undefined;
}

function make(folder: string): FoundTest | undefined {
  const names = ['GNUmakefile', 'makefile', 'Makefile'];
  // Listed, since some file systems ignore case. `init` may not have created the folder yet.
  const there = existsSync(folder) ? readdirSync(folder) : [];
  const file = names.find((name) => there.includes(name));
  const hasTarget = file !== undefined && /^test[ \t]*::?(?!=)/m.test(textIn(folder, file));
  return hasTarget ? { words: ['make', 'test'], because: file } : undefined;
}

function textIn(folder: string, name: string): string {
  try {
    return readFileSync(join(folder, name), 'utf8');
  } catch {
    return ''; // It does not exist, or cannot be read.
  }
}

/** Splits a command line like a shell. Syntax that needs a shell is refused, since the command runs without one. */
export function wordsOf(line: string): readonly string[] {
  const bad = (reason: Words) => problem.BAD_CONFIGURATION({ file: '--test-command', reason });
  const words: string[] = [];
  const piece = /\s+|"((?:[^"\\]|\\[\s\S])*)"|'([^']*)'|\\([\s\S])|([^\s"'\\]+)/gy;
  let word: string | undefined;
  for (let at = 0; at < line.length; at = piece.lastIndex) {
    piece.lastIndex = at;
    const found = piece.exec(line);
    if (found === null) throw bad({ en: 'a quote in it is never closed', ja: '引用符が閉じていません' });
    const [whole, double, single, escaped, bare] = found;
    if (bare !== undefined && /[;&|<>$`()]/.test(bare))
      throw bad({
        en: `it runs without a shell, so "${bare}" does not work: put the command into a script and use that`,
        ja: `シェルを使わずに起動するため「${bare}」は使えません。スクリプトに書き、その名前を指定してください`,
      });
    const text = double?.replaceAll(/\\(["\\$`])/g, '$1') ?? single ?? escaped ?? bare;
    if (text !== undefined) word = (word ?? '') + text;
    else if (whole !== '' && word !== undefined) {
      words.push(word);
      word = undefined;
    }
  }
  if (word !== undefined) words.push(word);
  if ((words[0] ?? '') === '') throw bad({ en: 'it names no program', ja: 'プログラムが指定されていません' });
  return words;
}

/** The command line for these words, quoted for a shell. */
export function lineOf(words: readonly string[]): string {
  return words.map((one) => (/^[\w@%+=:,./-]+$/.test(one) ? one : `'${one.replaceAll("'", `'\\''`)}'`)).join(' ');
}
