import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadCatalogue } from '../src/app/catalogue.ts';
import { hookSettings, ownSettings } from '../src/config/settings.ts';
import { agentMarks } from '../src/fleet/agents.ts';
import { guards } from '../src/gate/guards.ts';
import { identitySettings } from '../src/kernel/identity.ts';
import { keysOf } from '../src/kernel/setting.ts';
import { modules } from '../src/modules.ts';
import { tables as kernelTables } from '../src/kernel/store/tables.ts';
import { ownTables } from '../src/store/schema.ts';
import { ownTables as userTables } from '../src/user/tables.ts';

/** Rules of the house that live in no other tool. */
const root = join(import.meta.dirname, '..');

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => `src/${name}`)
  .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));

/** Without comments: a rule may be spoken of. */
function code(text: string): string {
  return text.replaceAll(/\/\*.*?\*\//gs, '').replaceAll(/^\s*\/\/.*$/gm, '');
}

function offenders(pattern: RegExp, allowed: (path: string) => boolean): readonly string[] {
  return sources.filter(({ path, text }) => !allowed(path) && pattern.test(code(text))).map(({ path }) => path);
}

describe('the sources', () => {
  test('import zod as a namespace, which keeps the start fast', () => {
    const others = sources.flatMap(({ path, text }) =>
      [...text.matchAll(/^import (.*) from 'zod[^']*';$/gm)]
        .map((match) => match[1] ?? '')
        .filter((what) => what !== '* as z' && !what.startsWith('type '))
        .map((what) => `${path}: import ${what}`),
    );
    expect(others).toEqual([]);
  });

  test('read the environment in one place', () => {
    expect(offenders(/process\.env|from 'node:process'/, (path) => path === 'src/config/load.ts')).toEqual([]);
  });

  test('exit only in entries and commands', () => {
    const may = (path: string) => /^src\/(cli|hook|host)\.ts$|^src\/command\//.test(path);
    expect(offenders(/process\.(exit\(|exitCode|abort\()/, may)).toEqual([]);
  });

  test('use the SDK’s server only for the 2026 era, and make nothing up for it', () => {
    const modern = (path: string) => path.endsWith('/modern.ts');
    expect(offenders(/from '@modelcontextprotocol\/(server|node)/, modern)).toEqual([]);
    expect(offenders(/\bas (unknown as )?(Server|ServerContext)\b/, () => false)).toEqual([]);
  });

  test('know the variables of an agent CLI only in its own file', () => {
    const names = agentMarks
      .flatMap(({ environment }) => [...environment.marks, ...environment.session])
      .map((name) => name.replace('*', ''))
      .filter((name) => !name.startsWith('SEKISHO_'));
    expect(names.length).toBeGreaterThan(10);
    expect(offenders(new RegExp(names.join('|')), (path) => path.startsWith('src/fleet/agent/'))).toEqual([]);
  });

  test('ask a guard what it does, not which kind it is', () => {
    const kinds = guards.map((one) => one.type).join('|');
    expect(offenders(new RegExp(`type('\\])? [!=]== '(${kinds})'`), () => false)).toEqual([]);
  });

  test('are split before 500 lines', () => {
    expect(sources.filter(({ text }) => text.split('\n').length > 500).map(({ path }) => path)).toEqual([]);
  });

  test('declare nothing for another file', () => {
    expect(offenders(/\bdeclare (module|global)\b/, () => false)).toEqual([]);
  });

  test('are named in kebab-case', () => {
    const odd = sources.filter(({ path }) => !/^[a-z0-9-]+(\/[a-z0-9-]+)*\.ts$/.test(path));
    expect(odd.map(({ path }) => path)).toEqual([]);
  });
});

/** The page runs in a browser: of the product it has types and the drawing of graphs; what it says it says over the API. */
describe('the dashboard', () => {
  const pages = readdirSync(join(root, 'dashboard'), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => ({ path: `dashboard/${name}`, text: readFileSync(join(root, 'dashboard', name), 'utf8') }));

  /** Imports that leave its folder, beside types of the sources and the drawing that the command line has too. */
  const strays = (path: string, text: string): readonly string[] =>
    [...code(text).matchAll(/^(import|export)\b[^;]*?\bfrom '(\.[^']+)';|\bimport\('(\.[^']+)'\)/gm)]
      .filter(([, , from, lazily]) => {
        const target = relative(root, join(root, dirname(path), from ?? lazily ?? ''));
        return !/^(dashboard|src\/graph)\//.test(target);
      })
      .map(([line]) => line)
      .filter((line) => !/^(import|export) type [^;]*src\//s.test(line))
      .map((line) => `${path}: ${line}`);

  test('imports only types of the product, and its drawing of graphs', () => {
    expect(pages.length).toBeGreaterThan(50);
    expect(pages.flatMap(({ path, text }) => strays(path, text))).toEqual([]);
    const planted = [
      `import { emit } from '../../src/gate/run/emit.ts';`,
      `import type { World } from '../../test/e2e/world.ts';`,
      `const a = await import('../../src/gate/index.ts');`,
    ];
    expect(planted.flatMap((text) => strays('dashboard/api/planted.ts', text))).toHaveLength(3);
    expect(strays('dashboard/api/planted.ts', `import type { A } from '../../src/gate/index.ts';`)).toEqual([]);
  });

  test('calls operations by their names', async () => {
    const text = pages.find(({ path }) => path === 'dashboard/api/operations.ts')?.text ?? '';
    const [, body = ''] = /^interface Operations \{\n(.*?)^\}/ms.exec(text) ?? [];
    const names = [...body.matchAll(/^ {2}'?([\w.]+)'?: typeof (\w+);/gm)].map((match) => match[1] ?? '');
    const known = (await loadCatalogue()).operations.map((one) => one.name);
    expect(names.length).toBeGreaterThan(10);
    expect(names.filter((name) => !known.includes(name))).toEqual([]);
  });

  test('is named in kebab-case, one component a file, and split before 250 lines', () => {
    expect(
      pages.filter(({ path }) => !/^dashboard(\/[a-z0-9-]+)*\.(d\.)?tsx?$/.test(path)).map(({ path }) => path),
    ).toEqual([]);
    expect(pages.filter(({ text }) => text.split('\n').length > 250).map(({ path }) => path)).toEqual([]);
  });
});

/** Where SQL of a table may stand: in its owner's folder. The journal is written by the store and read through the kernel. */
const owners: readonly { readonly table: string; readonly folder: RegExp }[] = [
  ...ownTables.map(({ name }) => ({ table: name, folder: /^src\/(store\/|kernel\/store\/journal\.ts$)/ })),
  ...userTables.map(({ name }) => ({ table: name, folder: /^src\/user\// })),
  ...kernelTables.map(({ name }) => ({ table: name, folder: /^src\/kernel\// })),
  ...modules.flatMap((one) =>
    (one.tables ?? []).map(({ name }) => ({ table: name, folder: new RegExp(`^src/${one.name}/`) })),
  ),
];

/** Tables that a text speaks of in SQL, outside of their owners' folders. */
function trespasses(path: string, text: string): readonly string[] {
  const strings = code(text).match(/'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`/gs) ?? [];
  return owners
    .filter(({ table, folder }) => {
      const named = new RegExp(`\\b(from|into|update|join|references|table)\\s+${table}\\b(?!\\s*-)`, 'i');
      return !folder.test(path) && strings.some((one) => isSql(one) && named.test(one));
    })
    .map(({ table }) => `${path}: ${table}`);
}

/** As we write it: lower case, beginning with a verb or going on from one. */
function isSql(text: string): boolean {
  return /\b(select|insert into|update \w+ set|delete from|join|references|create table)\b/.test(text);
}

describe('the tables', () => {
  test('are spoken of in SQL only in the folder of their owner', () => {
    expect(owners.length).toBeGreaterThan(30);
    expect(sources.flatMap(({ path, text }) => trespasses(path, text))).toEqual([]);
  });

  test('would be missed elsewhere', () => {
    const planted = [
      `const a = { sql: 'select id from run where id = :id' };`,
      'const a = { sql: `update work_task set status = :status\n where id = :id` };',
      'const a = `select 1 from phase_plan join run_holder on run_holder.run_id = phase_plan.run_id`;',
      `const a = 'delete from journal where seq = 1';`,
      `const a = 'insert into token (hash) values (:hash)';`,
    ];
    expect(planted.flatMap((text) => trespasses('src/upstream/planted.ts', text))).toEqual([
      'src/upstream/planted.ts: run',
      'src/upstream/planted.ts: work_task',
      'src/upstream/planted.ts: run_holder',
      'src/upstream/planted.ts: phase_plan',
      'src/upstream/planted.ts: journal',
      'src/upstream/planted.ts: token',
    ]);
    expect(trespasses('src/gate/run/planted.ts', planted[0] ?? '')).toEqual([]);
  });

  test('are of one name and one owner', () => {
    const names = owners.map(({ table }) => table);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });
});

describe('the tests', () => {
  /** They kill at random moments, play a slow server, or are what others wait with. */
  const mayWait = [
    'conformance/tools.ts',
    'contract/migration.ts',
    'contract/store-processes.ts',
    'e2e/durable.test.ts',
    'e2e/fleet-kill.test.ts',
    'e2e/fleet-model.test.ts',
    'e2e/work-model.test.ts',
    'e2e/work-soak.test.ts',
    'kernel/store/retry.test.ts',
    'setup/until.ts',
    'store/postgres.test.ts',
  ];

  test('wait for conditions, not for times', () => {
    const folder = join(root, 'test');
    const waiting = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((path) => path.endsWith('.ts') && !path.startsWith('fixtures/'))
      .filter((path) => /'node:timers\/promises'|=> setTimeout\(/.test(readFileSync(join(folder, path), 'utf8')));
    expect(waiting.filter((path) => !mayWait.includes(path))).toEqual([]);
  });
});

describe('the mutants of npm run mutate', () => {
  interface Mutant {
    readonly what: string;
    readonly find: string;
    readonly tests: readonly string[];
  }
  const lists = readdirSync(join(root, 'scripts/mutants'));

  test.each(lists)('%s change what stands once in its module, for tests that are there', async (file) => {
    const module = file.replace('.mjs', '');
    const { default: mutants } = (await import(join(root, 'scripts/mutants', file))) as { default: readonly Mutant[] };
    const texts = sources.filter(({ path }) => path.startsWith(`src/${module}/`)).map(({ text }) => text);
    const places = ({ find }: Mutant) => texts.reduce((sum, text) => sum + text.split(find).length - 1, 0);
    expect(mutants.length).toBeGreaterThan(0);
    expect(mutants.filter((one) => places(one) !== 1).map(({ what }) => what)).toEqual([]);
    expect(mutants.flatMap(({ tests }) => tests).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

describe('the package', () => {
  const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    files: readonly string[];
    bin: Readonly<Record<string, string>>;
    devDependencies: Readonly<Record<string, string>>;
  };

  const wanted = about.files.filter((file) => !file.startsWith('!'));

  test.each([...wanted, ...Object.values(about.bin)])('has %s', (file) => {
    expect(existsSync(join(root, file))).toBe(true);
  });

  test('depends on no other, and pins what it is built of', () => {
    expect(about).not.toHaveProperty('dependencies');
    const versions = Object.values(about.devDependencies);
    expect(versions.length).toBeGreaterThan(20);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([]);
  });
});

const papers = [
  ...readdirSync(root).filter((name) => name.endsWith('.md')),
  ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

describe('the table of attacks in SECURITY.md', () => {
  /** Every row: its id, the ring that stops it, and the command that shows it. */
  const rowsOf = (file: string) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^\| `([a-z]+\.[a-z-]+)` \| (.+)$/gm)].map(([, id, rest]) => {
      const cells = (rest ?? '').replaceAll('\\|', '').split('|');
      return { id: id ?? '', ring: cells[1]?.trim().replaceAll('*', ''), command: cells[3]?.trim() };
    });
  const rows = rowsOf('SECURITY.md');
  const ids = rows.map((one) => one.id);
  const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /^(hostile|e2e|gate|fleet|work|contract)\/.*\.ts$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, 'test', path), 'utf8') }));
  const cited = (text: string) =>
    [...text.matchAll(/\brow\(([^)]*)\)/g)].flatMap(([, list]) =>
      [...(list ?? '').matchAll(/'([^']+)'/g)].map((match) => match[1] ?? ''),
    );

  test('has a ring and a command in each row, and each id once', () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      rows.filter(({ ring, command }) => !/^([0-4]|none|–)$/.test(ring ?? '') || !command?.startsWith('`')),
    ).toEqual([]);
  });

  test('has a test for every row', () => {
    const all = new Set(tests.flatMap(({ text }) => cited(text)));
    expect(ids.filter((id) => !all.has(id))).toEqual([]);
  });

  test('has a row for everything that a test cites', () => {
    const unknown = tests.flatMap(({ path, text }) =>
      cited(text)
        .filter((id) => !ids.includes(id))
        .map((id) => `${path}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  test('is cited by every hostile test', () => {
    const hostile = tests.filter(({ path }) => /^hostile\/.*\.test\.ts$/.test(path));
    const silent = hostile.flatMap(({ path, text }) =>
      text
        .split(/^(?=(?:describe|test|inEveryWorld|inTwoWorlds|inOneWorld)\b)/m)
        .slice(1)
        .filter((block) => cited(block).length === 0)
        .map((block) => `${path}: ${block.split('\n')[0]}`),
    );
    expect(hostile.length).toBeGreaterThan(8);
    expect(silent).toEqual([]);
  });

  test('is the same in Japanese', () => {
    const rings = (all: typeof rows) =>
      all.map(({ id, ring, command }) => [id, ring?.replace('なし', 'none'), command]);
    expect(rings(rowsOf('docs/ja/security.md'))).toEqual(rings(rows));
  });
});

describe('the papers', () => {
  const linksOf = (paper: string): string[] => {
    const text = readFileSync(join(root, paper), 'utf8');
    const prose = text
      .replaceAll(/^```.*?^```$/gms, '')
      .replaceAll(/`[^`\n]*`/g, (quote) => quote.replaceAll(/[[\]()]/g, ''));
    return [...prose.matchAll(/\]\(([^)\s]+)\)|\bsrc(?:set)?="([^"]+)"/g)]
      .map((match) => match[1] ?? match[2] ?? '')
      .filter((target) => !/^[a-z]+:/.test(target));
  };

  test.each(papers)('%s links only to what is there', (paper) => {
    expect(linksOf(paper).filter((target) => !leadsSomewhere(paper, target))).toEqual([]);
  });

  test.each(['ARCHITECTURE.md', 'GLOSSARY.md'])('%s names only files that are there', (paper) => {
    const named = readFileSync(join(root, paper), 'utf8').matchAll(/`([\w./-]+\.ts)`/g);
    const files = ['src', 'test', 'dashboard'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => `/${folder}/${name}`),
    );
    const isThere = (name: string) => files.some((path) => path.endsWith(`/${name}`));
    expect([...named].map(([, name = '']) => name).filter((name) => !isThere(name))).toEqual([]);
  });

  const known = [hookSettings, ownSettings, identitySettings, ...modules.flatMap((one) => one.settings ?? [])].flatMap(
    (one) => keysOf(one.tree),
  );

  test.each(['docs', 'docs/ja'])('%s/README.md lists every page', (folder) => {
    const index = readFileSync(join(root, folder, 'README.md'), 'utf8');
    const pages = readdirSync(join(root, folder)).filter((name) => name.endsWith('.md') && name !== 'README.md');
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.filter((name) => !index.includes(`](${name})`))).toEqual([]);
  });

  test.each(['docs', 'docs/ja'])('%s/configuration.md speaks of every key', (folder) => {
    const text = readFileSync(join(root, folder, 'configuration.md'), 'utf8');
    const inFile = known.filter((one) => one.inFile).map((one) => one.key.split('.').at(-1) ?? '');
    expect(inFile.length).toBeGreaterThan(30);
    expect([...new Set(inFile)].filter((key) => !new RegExp(`\\b${key}\\b`).test(text))).toEqual([]);
  });

  test.each(['docs', 'docs/ja'])('%s/configuration.md speaks of every environment variable', (folder) => {
    const text = readFileSync(join(root, folder, 'configuration.md'), 'utf8');
    const variables = known.flatMap((one) => one.env ?? []);
    expect(variables.length).toBeGreaterThan(20);
    expect(variables.filter((name) => !text.includes(name))).toEqual([]);
  });

  test('every setting has one owner', () => {
    const keys = known.map((one) => one.key);
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
  });

  test.each(['docs', 'docs/ja'])('%s/process-language.md speaks of every field and every guard', (folder) => {
    const text = readFileSync(join(root, folder, 'process-language.md'), 'utf8');
    const schema = sources.find(({ path }) => path === 'src/gate/definition/schema.ts')?.text ?? '';
    const guards = sources.filter(({ path }) => path.startsWith('src/gate/guard/'));
    const words = [
      ...[...schema.matchAll(/^ {2}(\w+)[:,]/gm)].map((match) => match[1] ?? ''),
      ...guards.flatMap(({ text: guard }) => [...guard.matchAll(/^ {4,6}(\w+): z\./gm)].map((match) => match[1] ?? '')),
      ...guards.flatMap(({ text: guard }) => guard.match(/(?<=^ {2}type: ')\w+/gm) ?? []),
    ];
    expect(words.length).toBeGreaterThan(30);
    expect([...new Set(words)].filter((word) => !text.includes(word))).toEqual([]);
  });
});

function leadsSomewhere(paper: string, target: string): boolean {
  const [file = '', anchor] = target.split('#', 2);
  const path = file === '' ? paper : relative(root, join(root, dirname(paper), file));
  if (path.startsWith('..') || !existsSync(join(root, path))) return false;
  if (anchor === undefined || statSync(join(root, path)).isDirectory()) return true;
  const headings = [...readFileSync(join(root, path), 'utf8').matchAll(/^#+ (.+)$/gm)].map((match) =>
    anchorOf(match[1] ?? ''),
  );
  return headings.includes(anchor);
}

/** As GitHub makes it. */
function anchorOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
    .replaceAll(' ', '-');
}
