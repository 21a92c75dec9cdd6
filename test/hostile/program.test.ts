import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bin as clone, node } from '../e2e/world.ts';
import { installPackage } from '../setup/installed.ts';
import { personToken } from '../setup/person.ts';
import { row } from '../setup/security.ts';

// Finding S8: code that was planted in the package, the copy of it or its code cache was named by nobody.

let home: string;
let project: string;
let bin: string;
const env = () => ({ HOME: home, PATH: '/usr/bin:/bin', LANG: 'C' });
const asPerson = () => ({ ...env(), SEKISHO_PERSON_TOKEN: personToken, SEKISHO_TOKEN: personToken });
const at = (...names: readonly string[]) => join(home, '.local/share/sekisho', ...names);
const packageAt = (...names: readonly string[]) => join(home, 'lib/node_modules/sekisho', ...names);

/** The copy that hooks start. */
function copyAt(...names: readonly string[]): string {
  const program = /^program='(.*)\/bin\/sekisho'$/m.exec(readFileSync(at('app/sekisho'), 'utf8'))?.[1] ?? '';
  return join(program, ...names);
}

function run(args: readonly string[], { program = bin, as = env(), cwd = project, input = '' } = {}) {
  const line = program === bin || program === clone ? [node, program] : [program];
  const [first = '', ...rest] = [...line, ...args];
  const { status, stdout, stderr } = spawnSync(first, rest, { cwd, env: as, input, encoding: 'utf8' });
  const json = (stdout.startsWith('{') ? JSON.parse(stdout) : {}) as Record<string, any>;
  return { code: status, stdout, stderr, json };
}

interface Ring {
  readonly name: string;
  readonly state: string;
  readonly found: string;
  readonly remedy?: string;
}

function look(program = bin) {
  const { json } = run(['status', '--json'], { program });
  const ring = (json['rings'] as readonly Ring[]).find(({ name }) => name === 'program');
  const verified = run(['journal', 'verify', '--json'], { program });
  const faults = (verified.json['faults'] as readonly { table: string; key: readonly string[]; damage: string }[])
    .filter(({ table }) => table === 'program')
    .map(({ key, damage }) => [damage, ...key]);
  return { ring, faults, code: verified.code };
}

const sound = { ring: expect.objectContaining({ state: 'on' }) as unknown, faults: [], code: 0 };

/** A question that the first state of the process denies. */
const question = () =>
  JSON.stringify({ session_id: 's', cwd: project, tool_name: 'Write', tool_input: { file_path: 'a' } });
const ask = () =>
  run(['hook', 'pre-tool-use', '--client', 'claude'], { program: at('app/sekisho'), input: question() });

const cacheOf = (folder: string) => join(folder, 'dist/.cache', `${process.version}-${process.arch}`);
const entryOf = (folder: string, file: string) =>
  join(cacheOf(folder), readdirSync(cacheOf(folder)).find((name) => name.startsWith(`${file}-`)) ?? 'none');

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), `${process.env['SEKISHO_TEST_RUN'] ?? 'sekisho-test'}-program-`)));
  project = join(home, 'project');
  mkdirSync(project);
  bin = installPackage(packageAt());
  expect(run(['init'], { as: asPerson() })).toMatchObject({ code: 0 });
  expect(run(['start', 'explore-plan-implement-verify']).code).toBe(0);
}, 120_000);
afterAll(() => rmSync(home, { recursive: true, force: true }));

interface Planting {
  readonly damage: 'changed' | 'added' | 'removed';
  path(): string;
}

/** Each is code that would run in a hook, a server or a person's own command, or what these read. */
const plantings: readonly Planting[] = [
  { damage: 'changed', path: () => copyAt('dist/hook.cjs') },
  { damage: 'changed', path: () => copyAt('bin/sekisho') },
  { damage: 'changed', path: () => copyAt('processes/exploration.yaml') },
  { damage: 'changed', path: () => at('app/sekisho') },
  { damage: 'changed', path: () => entryOf(copyAt(), 'hook.cjs') },
  { damage: 'added', path: () => join(cacheOf(copyAt()), 'cli.cjs-0123456789abcdef') },
  { damage: 'added', path: () => copyAt('node_modules/pg-native/index.js') },
  { damage: 'removed', path: () => copyAt('prompts/en/phase0.md') },
  { damage: 'changed', path: () => packageAt('dist/hook.cjs') },
  { damage: 'added', path: () => packageAt('dist/extra.cjs') },
  { damage: 'changed', path: () => entryOf(packageAt(), 'hook.cjs') },
];

describe('what was planted', () => {
  const plant = ({ damage, path }: Planting) => {
    const file = path();
    const before = existsSync(file) ? readFileSync(file) : undefined;
    expect(before === undefined, file).toBe(damage === 'added');
    if (damage === 'removed') rmSync(file);
    else {
      mkdirSync(dirname(file), { recursive: true });
      // The end of a file is a comment to a shell, to Node and to YAML alike.
      appendFileSync(file, file.endsWith('.cjs') ? '//' : '#');
    }
    const putBack = () => (before === undefined ? rmSync(file) : writeFileSync(file, before));
    return { fault: [damage, file], putBack };
  };

  test(`${row('program.files')} is named by status, doctor and verify`, () => {
    expect(look()).toEqual(sound);
    const planted = plantings.map(plant);
    const found = look();
    expect(found.code).toBe(1);
    expect(found.faults.toSorted()).toEqual(planted.map(({ fault }) => fault).toSorted());
    const remedy = 'npm install -g sekisho, then sekisho init';
    expect(found.ring).toMatchObject({ state: 'broken', remedy });
    expect(found.faults.filter(([, file = '?']) => found.ring?.found.includes(file)).length).toBe(5);
    expect(run(['doctor']).code).toBe(1);
    const said = run(['journal', 'verify']).stdout;
    expect(said).toContain(`program ${copyAt('dist/hook.cjs')} was changed`);
    for (const { putBack } of planted) putBack();
    expect(look()).toEqual(sound);
  });

  test(`${row('program.files')} in the copy is gone after a person’s init, which takes it from the package`, () => {
    appendFileSync(copyAt('dist/hook.cjs'), '//');
    writeFileSync(copyAt('dist/extra.cjs'), '');
    rmSync(copyAt('prompts'), { recursive: true });
    const { ring, faults } = look();
    expect(faults.length).toBeGreaterThan(2);
    expect(ring).toMatchObject({ state: 'broken', remedy: 'sekisho init' });
    expect(run(['init'], { as: asPerson() }).code).toBe(0);
    expect(look()).toEqual(sound);
    expect(ask().stdout).toContain('deny');
  });
});

describe('the code cache', () => {
  test(`${row('program.cache')} is made by init, and nothing that runs later writes it`, () => {
    expect(existsSync(entryOf(copyAt(), 'hook.cjs'))).toBe(true);
    expect(existsSync(entryOf(packageAt(), 'hook.cjs'))).toBe(true);
    for (const program of [bin, at('app/sekisho')])
      for (const more of [{}, { SEKISHO_CODE_CACHE: 'refresh' }])
        if (program !== bin || !('SEKISHO_CODE_CACHE' in more)) {
          const options = { program, as: { ...env(), ...more } };
          run(['hook', 'pre-tool-use', '--client', 'claude'], { ...options, input: question() });
          expect(run(['gate', 'list-runs', '--json'], options).code).toBe(0);
          expect(run(['mcp'], options).code).toBe(0);
        }
    expect(look()).toEqual(sound);
  });

  test(`${row('program.cache')} may be removed: that takes time and nothing else`, () => {
    const kept = join(home, 'kept');
    cpSync(cacheOf(copyAt()), kept, { recursive: true });
    rmSync(copyAt('dist/.cache'), { recursive: true });
    expect(ask().stdout).toContain('deny');
    expect(look()).toEqual(sound);
    cpSync(kept, cacheOf(copyAt()), { recursive: true });
  });

  test(`${row('program.between')} is believed by V8 until somebody looks: what is planted and put back between two looks is not seen`, () => {
    const mark = join(home, 'ran');
    const source = readFileSync(copyAt('dist/hook.cjs'), 'latin1');
    const evil = `require("node:fs").writeFileSync(${JSON.stringify(mark)},"");`;
    const head = '(function (exports, require, module, __filename, __dirname) {';
    // V8 knows a source by its length alone.
    const script = new Script(`${head}${`${evil}//`.padEnd(source.length, '/')}\n})`, { columnOffset: -head.length });
    script.runInThisContext();
    const entry = entryOf(copyAt(), 'hook.cjs');
    const before = readFileSync(entry);
    writeFileSync(entry, script.createCachedData());
    ask();
    const ran = existsSync(mark);
    expect(look().faults).toEqual([['changed', entry]]);
    writeFileSync(entry, before);
    expect({ ran, ...look() }).toEqual({ ran: true, ...sound });
  });
});

test(`${row('program.modules')} nothing is loaded from a node_modules of the folders above it`, () => {
  const mark = join(home, 'loaded');
  const planted = join(home, 'node_modules/pg-native');
  mkdirSync(planted, { recursive: true });
  writeFileSync(join(planted, 'index.js'), `require('node:fs').writeFileSync(${JSON.stringify(mark)}, '');`);
  const as = { ...env(), NODE_PG_FORCE_NATIVE: '1', SEKISHO_DB: 'postgres://127.0.0.1:1/none' };
  for (const program of [bin, at('app/sekisho')]) run(['journal', 'list', '--db', as.SEKISHO_DB], { program, as });
  expect(existsSync(mark)).toBe(false);
});

describe('init without a person', () => {
  const fresh = (name: string) => {
    const cwd = join(home, name);
    mkdirSync(cwd);
    return cwd;
  };
  const shim = () => readFileSync(at('app/sekisho'), 'utf8');

  test(`${row('program.init')} prepares a new folder and mends the copy from a package that is as it was`, () => {
    rmSync(copyAt(), { recursive: true });
    expect(run(['init'], { cwd: fresh('mends') }).code).toBe(0);
    expect(look()).toEqual(sound);
  });

  test(`${row('program.init')} records no package that was changed`, () => {
    const before = readFileSync(packageAt('dist/hook.cjs'));
    appendFileSync(packageAt('dist/hook.cjs'), '//');
    rmSync(copyAt(), { recursive: true });
    const { code, stderr } = run(['init'], { cwd: fresh('changed') });
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining('person') as unknown });
    expect(look().faults).toContainEqual(['changed', packageAt('dist/hook.cjs')]);
    writeFileSync(packageAt('dist/hook.cjs'), before);
    expect(run(['init'], { cwd: fresh('as-before') }).code).toBe(0);
    expect(look()).toEqual(sound);
  });

  test(`${row('program.init')} does not lead hooks to another program`, () => {
    const other = installPackage(join(home, 'other/sekisho'));
    writeFileSync(other.replace('bin/sekisho', 'dist/host.cjs'), '//0123456789abcdef\n');
    const before = shim();
    const { status } = spawnSync(node, [other, 'init'], { cwd: fresh('elsewhere'), env: env() });
    expect({ status, shim: shim() }).toEqual({ status: 1, shim: before });
    expect(look()).toEqual(sound);
  });
});

test(`${row('program.files')} an update is recorded by the next init; the older copy stays compared`, () => {
  const older = copyAt();
  const about = readFileSync(packageAt('package.json'), 'utf8');
  const host = readFileSync(packageAt('dist/host.cjs'), 'latin1');
  writeFileSync(packageAt('package.json'), about.replace(/"version": "[^"]+"/, '"version": "99.0.0"'));
  writeFileSync(packageAt('dist/host.cjs'), host.replace(/^\/\/\w{16}/, '//0123456789abcdef'), 'latin1');
  const found = look();
  expect(found.ring).toMatchObject({ state: 'unknown', remedy: expect.stringContaining('sekisho init') as unknown });
  expect(found.faults).toEqual([['changed', packageAt()]]);
  expect(run(['init'], { as: asPerson() }).code).toBe(0);
  expect(copyAt()).not.toBe(older);
  expect(look()).toEqual(sound);
  appendFileSync(join(older, 'dist/hook.cjs'), '//');
  expect(look().faults).toEqual([['changed', join(older, 'dist/hook.cjs')]]);
  rmSync(older, { recursive: true });
  expect(look()).toEqual(sound);
});

test(`${row('program.clone')} a clone is reported as not pinned, and not as broken`, () => {
  const { ring, faults, code } = look(clone);
  expect({ faults, code }).toEqual({ faults: [], code: 0 });
  expect(ring).toMatchObject({ state: 'on', found: expect.stringContaining('not pinned') as unknown });
  expect(look().ring?.found).not.toContain('not pinned');
});
