import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { findStoreReach, reachText } from '../../src/sandbox/store-reach.ts';
import { locate } from '../../src/config/locate.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'sekisho-reach-'));
  mkdirSync(join(folder, 'home'));
  mkdirSync(join(folder, 'project/.sekisho'), { recursive: true });
});
afterEach(() => rmSync(folder, { recursive: true }));

const reach = (db: string, more: Readonly<Record<string, string>> = {}) => {
  const env = { HOME: join(folder, 'home'), XDG_DATA_HOME: join(folder, 'data'), ...more };
  const place = locate({ cwd: join(folder, 'project'), env });
  return findStoreReach({ db, place, sandbox: { mode: 'auto', allow: [] } }, env);
};
const write = (path: string, text: string) => writeFileSync(join(folder, path), text);
const url = 'postgres://sekisho:pa%24sword@db.internal/sekisho';

test('a file in the data folder, or covered in .sekisho, is out of reach; one in the project is not', () => {
  expect(reach(join(folder, 'data/sekisho/x.db'))).toBeUndefined();
  expect(reach(join(folder, 'project/.sekisho/sekisho.db'))).toBeUndefined();
  expect(reach(join(folder, 'project/own.db'))).toMatchObject({ way: 'store-in-project' });
});

test('a password that only a hidden variable or file holds is out of reach', () => {
  expect(reach(url, { SEKISHO_DB: url })).toBeUndefined();
  write('home/.pgpass', 'db.internal:*:*:sekisho:pa$sword\n');
  expect(reach('postgres://sekisho@db.internal/sekisho')).toBeUndefined();
  expect(reach(url)).toBeUndefined();
  expect(reach('postgres://sekisho@db.internal/sekisho', { PGPASSWORD: 'pa$sword' })).toBeUndefined();
});

test.each(['project/.sekisho/config.yaml', 'project/.env', 'home/.bashrc'])(
  'a password in %s is within reach',
  (path) => {
    write(path, `SEKISHO_DB=${url}\n`);
    expect(reach(url)).toEqual({ way: 'password-in-file', at: join(folder, path) });
  },
);

test('a password in a variable that stays, or none at all, is within reach', () => {
  expect(reach(url, { DATABASE_URL: url })).toEqual({ way: 'password-in-variable', at: 'DATABASE_URL' });
  expect(reach('postgres://sekisho@127.0.0.1/sekisho')).toEqual({ way: 'no-password', at: '127.0.0.1' });
  // A socket is not there inside.
  expect(reach('postgres:///sekisho?host=/var/run/postgresql')).toBeUndefined();
});

test('it says what to do, in both languages, and never the password', () => {
  const found = reach(url, { DATABASE_URL: url });
  for (const lang of ['en', 'ja'] as const) {
    const said = found === undefined ? '' : reachText(found, lang);
    expect(said).toContain('DATABASE_URL');
    expect(said).not.toContain('pa%24');
  }
});
