import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { findTestCommands, lineOf, wordsOf } from '../../src/config/test-command.ts';
import { changeSetting } from '../../src/config/file.ts';
import fc from '../setup/property.ts';

let folder: string | undefined;
afterEach(() => folder !== undefined && rmSync(folder, { recursive: true, force: true }));

function projectWith(files: Readonly<Record<string, string>>): string {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-test-command-')));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return folder;
}

const script = (line: string) => JSON.stringify({ scripts: { test: line } });
const found = (files: Readonly<Record<string, string>>) =>
  findTestCommands(projectWith(files)).map(({ words, because }) => `${words.join(' ')} (${because})`);

describe('what runs the tests is found in', () => {
  test.each<[string, Readonly<Record<string, string>>, readonly string[]]>([
    ['a package without a lock file', { 'package.json': script('vitest') }, ['npm test (package.json)']],
    [
      'a package of npm',
      { 'package.json': script('vitest'), 'package-lock.json': '{}' },
      ['npm test (package.json, package-lock.json)'],
    ],
    [
      'a package of pnpm',
      { 'package.json': script('vitest'), 'pnpm-lock.yaml': '' },
      ['pnpm test (package.json, pnpm-lock.yaml)'],
    ],
    [
      'a package of yarn',
      { 'package.json': script('vitest'), 'yarn.lock': '' },
      ['yarn test (package.json, yarn.lock)'],
    ],
    ['pytest.ini', { 'pytest.ini': '' }, ['pytest (pytest.ini)']],
    ['pyproject.toml with a table', { 'pyproject.toml': '[tool.pytest.ini_options]\n' }, ['pytest (pyproject.toml)']],
    [
      'pyproject.toml with a dependency',
      { 'pyproject.toml': '[dependency-groups]\ndev = ["ruff", "pytest>=8"]\n' },
      ['pytest (pyproject.toml)'],
    ],
    ['tox.ini', { 'tox.ini': '[tox]\n[pytest]\n' }, ['pytest (tox.ini)']],
    ['setup.cfg', { 'setup.cfg': '[tool:pytest]\n' }, ['pytest (setup.cfg)']],
    ['a conftest.py', { 'tests/conftest.py': '' }, ['pytest (tests/conftest.py)']],
    ['Cargo.toml', { 'Cargo.toml': '[package]\n' }, ['cargo test (Cargo.toml)']],
    ['go.mod', { 'go.mod': 'module a\n' }, ['go test ./... (go.mod)']],
    ['a Makefile', { Makefile: 'all: build\n\ntest: build\n\t./run\n' }, ['make test (Makefile)']],
    [
      'several, the likeliest first',
      { Makefile: 'test:\n', 'Cargo.toml': '' },
      ['cargo test (Cargo.toml)', 'make test (Makefile)'],
    ],
  ])('%s', (_, files, wanted) => expect(found(files)).toEqual(wanted));

  test.each<[string, Readonly<Record<string, string>>]>([
    ['an empty folder', {}],
    ['a package without a test', { 'package.json': '{"scripts":{"build":"tsc"}}' }],
    ['what npm init writes', { 'package.json': script('echo "Error: no test specified" && exit 1') }],
    ['a package that is no JSON', { 'package.json': '{' }],
    ['a Makefile with a variable of that name', { Makefile: 'test := 1\ntests:\n\techo\n' }],
    ['Python without pytest', { 'pyproject.toml': '[project]\nname = "a"\n# "pytest"\n' }],
  ])('not in %s', (_, files) => expect(found(files)).toEqual([]));
});

describe('a line that a person types', () => {
  test.each<[string, readonly string[]]>([
    ['npm test', ['npm', 'test']],
    ['  pytest   -x ', ['pytest', '-x']],
    [`pytest -k "a b"`, ['pytest', '-k', 'a b']],
    [`run 'it''s' a\\ b ""`, ['run', 'its', 'a b', '']],
    ['go test ./...', ['go', 'test', './...']],
    ['"C:\\\\tools\\\\run.exe"', ['C:\\tools\\run.exe']],
  ])('%s', (line, words) => expect(wordsOf(line)).toEqual(words));

  test.each([
    '',
    '   ',
    '""',
    'npm test && npm run lint',
    'npm test | tee log',
    'echo $HOME',
    'run > out',
    'a `b`',
    'a "b',
  ])('is refused where only a shell could run it: %s', (line) =>
    expect(() => wordsOf(line)).toThrowError('BAD_CONFIGURATION'),
  );

  test('words that are shown can be typed again', () => {
    const word = fc.string({ minLength: 1 });
    fc.assert(
      fc.property(fc.array(word, { minLength: 1 }), (words) => {
        expect(wordsOf(lineOf(words))).toEqual(words);
      }),
    );
  });
});

describe('a configuration gets a test command', () => {
  test.each([
    '',
    '# Only comments.\n# lang: en\n',
    'lang: ja # mine\n',
    'lang: ja',
    '{ lang: ja }\n',
    'test: [old] # was\nlang: ja\n',
    'test:\n  - old\n',
  ])('%j', (before) => {
    const words = ['run', 'it: "now"', '#1'];
    const after = changeSetting('config.yaml', before, 'test', words);
    expect(parse(after)).toEqual({ ...(parse(before) as object | null), test: words });
    for (const [comment] of before.matchAll(/#.*/g)) expect(after).toContain(comment);
  });

  test.each(['- a\n', 'a: [\n', 'word'])('unless it is no list of keys: %j', (before) => {
    expect(() => changeSetting('config.yaml', before, 'test', ['run'])).toThrow('BAD_CONFIGURATION');
  });
});
