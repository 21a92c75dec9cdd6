import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { loadHookConfig } from '../../src/config/hook.ts';
import { loadConfig } from '../../src/config/load.ts';
import { locate } from '../../src/config/locate.ts';
import { writeTrusted } from '../../src/config/trust.ts';
import { configurationFile } from '../../src/kernel/trust.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-hook-')));
  mkdirSync(join(base, '.sekisho'));
});
afterEach(() => rmSync(base, { recursive: true }));

/** A project with this configuration, which a person has seen. */
function configured(text: string) {
  const around = { env: { XDG_DATA_HOME: join(base, 'data') }, cwd: base, terminal: false };
  writeFileSync(join(base, configurationFile), text);
  const { data, key } = locate(around);
  writeTrusted(data, key, new Map([[configurationFile, { digest: '', text }]]));
  return around;
}

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
    const around = configured(text);
    const { config, failure } = await loadHookConfig({}, around, undefined);
    expect(failure).toBeUndefined();
    expect(config).toMatchObject({ db: join(base, 'own.db'), project: { key: 'mine' }, hookFail: 'closed' });
    const { db, project, hookFail } = await loadConfig({}, around);
    expect(config).toMatchObject({ db, project: { key: project.key }, hookFail });
  });

  test('what is no map at all is a failure, not a configuration without keys', async () => {
    for (const text of ['- db: own.db\n', 'db\n', '"db: own.db"\n'])
      expect((await loadHookConfig({}, configured(text), undefined)).failure, text).toBeDefined();
  });
});
