import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { loadHookConfig } from '../../src/config/hook.ts';
import { type Surroundings, loadConfig } from '../../src/config/load.ts';
import { locate } from '../../src/config/locate.ts';
import { configurationFile } from '../../src/kernel/trust.ts';
import { trustConfiguration } from '../setup/trust.ts';

/** What a hook reads, which must be what a server reads. */
async function readAlike(around: Surroundings) {
  const { config, failure, isStoreKnown } = await loadHookConfig({}, around, undefined);
  expect([failure, isStoreKnown]).toEqual([undefined, true]);
  const { db, project, process, lang, hookFail } = await loadConfig({}, around);
  expect(config).toMatchObject({ db, project: { key: project.key }, process, lang, hookFail });
  return config;
}

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-hook-')));
  mkdirSync(join(base, '.sekisho'));
});
afterEach(() => rmSync(base, { recursive: true }));

/** A project with this configuration, which a person has seen. */
async function configured(text: string) {
  const around = { env: { XDG_DATA_HOME: join(base, 'data') }, cwd: base, terminal: false };
  writeFileSync(join(base, configurationFile), text);
  await trustConfiguration(base, around.env);
  return around;
}

const keysFile = () => join(base, 'data/sekisho/state/trust', `${base.slice(1).replaceAll('/', '+')}.keys`);

describe('a hook obeys what every other entry obeys, however the configuration is written', () => {
  test.for([
    ['a block map', 'db: own.db\nprojectKey: mine\nhook: { fail: closed }\n'],
    ['comments first', '# mine\n\n  # further in\ndb: own.db # here\nprojectKey: mine\nhook:\n  fail: closed\n'],
    ['lists in column 0', 'toolsets:\n- gate\n- work\ndb: own.db\nprojectKey: mine\nhook: { fail: closed }\n'],
    ['other line ends', 'projectKey: mine\r\ndb: own.db\r\nhook:\r\n  fail: closed\r\n'],
    ['JSON', '{\n  "db": "own.db",\n  "projectKey": "mine",\n  "hook": { "fail": "closed" }\n}\n'],
    ['JSON with keys in column 0', '{\ndb: own.db,\nprojectKey: mine,\nhook: { fail: closed }\n}\n'],
    ['an indented map', '  db: own.db\n  projectKey: mine\n  hook: { fail: closed }\n'],
    ['a document on its first line', '--- {db: own.db, projectKey: mine, hook: {fail: closed}}\n'],
    ['a mark of the byte order', '\uFEFFdb: own.db\nprojectKey: mine\nhook: { fail: closed }\n'],
    ['keys of two lines', 'lang: en\n? db\n: own.db\n? projectKey\n: mine\n? hook\n: { fail: closed }\n'],
    ['escapes in keys', 'lang: en\n"d\\x62": own.db\n"project\\x4bey": mine\n"h\\x6fok": { fail: closed }\n'],
  ] as const)('%s', async ([, text]) => {
    const around = await configured(text);
    const config = await readAlike(around);
    expect(config).toMatchObject({ db: join(base, 'own.db'), project: { key: 'mine' }, hookFail: 'closed' });
  });

  test.for([
    ['db: null', {}],
    ['db: ~', {}],
    ['db:', {}],
    ['db: 0x10', { db: '16' }],
    ['db: 1e3', { db: '1000' }],
    ['db: "null"', { db: 'null' }],
    ['db: null.db', { db: 'null.db' }],
    ['projectKey: null', {}],
    ['projectKey: "null"', { key: 'null' }],
    ['process: null', {}],
    ['lang: null', {}],
    ['lang: ja', { lang: 'ja' }],
    ['hook: null', {}],
    ['hook: { fail: null }', {}],
    ['hook: {}', {}],
    ['db: ${env:NAME}', { db: 'named' }],
    ['process: &a mine\nprojectKey: *a', { key: 'mine', process: 'mine' }],
  ] as const)('%s', async ([text, expected]) => {
    const around = await configured(`${text}\n`);
    const named = { ...around, env: { ...around.env, NAME: 'named' } };
    const { db, project, process, lang, hookFail } = await readAlike(named);
    const set: { db?: string; key?: string; lang?: string; process?: string } = expected;
    expect({ db, key: project.key, process, lang, hookFail }).toEqual({
      db: set.db === undefined ? locate(around).db : join(base, set.db),
      key: set.key ?? base,
      process: set.process ?? 'explore-plan-implement-verify',
      lang: set.lang ?? 'en',
      hookFail: 'auto',
    });
  });

  test('what is no map at all is a failure, not a configuration without keys', async () => {
    for (const text of ['- db: own.db\n', 'db\n', '"db: own.db"\n', 'db: [\n']) {
      const loaded = await loadHookConfig({}, await configured(text), undefined);
      expect(loaded, text).toMatchObject({ failure: { code: 'BAD_CONFIGURATION' }, isStoreKnown: false });
    }
  });

  test('what JSON has no word for is no database', async () => {
    for (const text of ['db: .nan\n', 'db: .inf\n', 'db: true\n', 'db: [a]\n'])
      await expect(loadConfig({}, await configured(text)), text).rejects.toMatchObject({ code: 'BAD_CONFIGURATION' });
  });

  test('of a configuration that nobody has trusted a hook obeys nothing', async () => {
    const around = { env: { XDG_DATA_HOME: join(base, 'data') }, cwd: base, terminal: false };
    writeFileSync(join(base, configurationFile), 'lang: ja\ndb: own.db\nhook: { fail: open }\n');
    const { config, failure } = await loadHookConfig({}, around, undefined);
    expect([failure, config.lang, config.db, config.hookFail]).toEqual([undefined, 'en', locate(around).db, 'auto']);
  });

  test('a word that there is not leaves the store known, a variable that nobody set does not', async () => {
    const around = await configured('db: own.db\nprojectKey: mine\n');
    const wrong = { ...around, env: { ...around.env, SEKISHO_LANG: 'xx' } };
    expect(await loadHookConfig({}, wrong, undefined)).toMatchObject({
      failure: { code: 'BAD_CONFIGURATION' },
      isStoreKnown: true,
      config: { db: join(base, 'own.db'), project: { key: 'mine' } },
    });
    expect(await loadHookConfig({}, await configured('projectKey: ${env:UNSET}\n'), undefined)).toMatchObject({
      failure: { code: 'BAD_CONFIGURATION' },
      isStoreKnown: false,
    });
  });
});

describe('the compiled keys', () => {
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);

  test('are the owner’s alone, and nothing of a draft stays beside them', async () => {
    await configured('db: own.db\n');
    expect([mode(keysFile()), mode(dirname(keysFile()))]).toEqual(['600', '700']);
    expect(readdirSync(dirname(keysFile())).filter((name) => !/\.(json|keys)$/.test(name))).toEqual([]);
    expect(JSON.parse(readFileSync(keysFile(), 'utf8'))).toEqual({
      digest: createHash('sha256').update('db: own.db\n').digest('hex'),
      keys: { lang: null, db: 'own.db', projectKey: null, process: null, hook: null, gate: null },
    });
  });

  test('are compiled again by whatever loads the configuration, of what was trusted and of nothing else', async () => {
    const around = await configured('db: own.db\n');
    const whole = readFileSync(keysFile(), 'utf8');
    writeFileSync(join(base, configurationFile), 'db: evil.db\n');
    const env = { ...around.env, SEKISHO_PROJECT_KEY: 'evil', SEKISHO_HOOK_FAIL: 'open' };
    for (const spoil of [() => rmSync(keysFile()), () => writeFileSync(keysFile(), '{"digest":"old","keys":{}}')]) {
      spoil();
      await loadHookConfig({}, around, undefined);
      expect(existsSync(keysFile()) ? readFileSync(keysFile(), 'utf8') : '').not.toBe(whole);
      // Somebody only asks what another configuration would be.
      const tried = { path: configurationFile, text: 'db: evil.db\n', trust: 'trusted' as const };
      await loadConfig({}, { ...around, configuration: tried });
      expect(existsSync(keysFile()) ? readFileSync(keysFile(), 'utf8') : '').not.toContain('db');
      await loadConfig({ db: 'evil.db' }, { ...around, env });
      expect(readFileSync(keysFile(), 'utf8')).toBe(whole);
    }
  });

  test('of a folder whose name ends like their file are nobody else’s', async () => {
    const around = await configured('db: own.db\n');
    const twin = { ...around, cwd: `${base}.keys` };
    mkdirSync(join(twin.cwd, '.sekisho'), { recursive: true });
    onTestFinished(() => rmSync(twin.cwd, { recursive: true }));
    writeFileSync(join(twin.cwd, configurationFile), 'db: twin.db\n');
    await trustConfiguration(twin.cwd, around.env);
    expect((await loadHookConfig({}, around, undefined)).config.db).toBe(join(base, 'own.db'));
    expect((await loadHookConfig({}, twin, undefined)).config.db).toBe(join(twin.cwd, 'twin.db'));
  });
});
