import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { ownUserKey, readAdmitted } from '../../../src/app/user/admitted.ts';
import { type App, createApp } from '../../../src/app/application.ts';
import { configure } from '../../../src/app/configure.ts';
import { refusal } from '../../../src/kernel/problem.ts';

const folders: string[] = [];
const apps: App[] = [];

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function makeFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-admitted-')));
  folders.push(folder);
  mkdirSync(join(folder, 'project', '.sekisho'), { recursive: true });
  return folder;
}

interface Where {
  readonly data: string;
  readonly db?: string;
  readonly terminal?: boolean;
}

async function openApp(folder: string, { data, db, terminal = false }: Where): Promise<App> {
  const env = { XDG_DATA_HOME: join(folder, data), LOG_LEVEL: 'error', ...(db !== undefined && { SEKISHO_DB: db }) };
  const app = createApp(await configure({}, { env, cwd: join(folder, 'project'), terminal }));
  apps.push(app);
  return app;
}

/** As a person by a token, of the app's own data folder. */
const person = { principal: { role: 'human', identity: 'os:me', person: true } };

/** A store in which people have decided before anybody was admitted. */
async function openOlder(folder: string, where: Where): Promise<App> {
  const app = await openApp(folder, where);
  const before = { at: '2026-01-01T00:00:00.000Z', actor: 'human:os:me', subject: 'run-1', kind: 'run.event' };
  await (await app.store()).commit([], [{ ...before, project: 'x', data: '{}' }]);
  return app;
}

test('a new store takes the first person, and nobody else', async () => {
  const folder = makeFolder();
  const first = await openApp(folder, { data: 'one' });
  const { store, actor } = await first.context(person);
  expect(actor).toMatchObject({ person: true, userDatabase: await ownUserKey(first.config) });
  const other = await openApp(folder, { data: 'two', db: first.config.db, terminal: true });
  expect((await other.context({})).actor).toEqual({
    role: 'agent',
    id: `os:${other.config.user}`,
    verified: false,
    person: false,
    userDatabase: await ownUserKey(other.config),
  });
  expect(await readAdmitted(store)).toEqual([actor.userDatabase]);
});

test('of two who are the first at once, one is admitted', async () => {
  const folder = makeFolder();
  const db = join(folder, 'shared.db');
  const all = await Promise.all(['one', 'two', 'three'].map((data) => openApp(folder, { data, db })));
  const outcomes = await Promise.allSettled(all.map(async (app) => (await app.context(person)).actor.person));
  expect(outcomes.filter((one) => one.status === 'fulfilled' && one.value)).toHaveLength(1);
});

test('an older store in the data folder takes the user database beside it', async () => {
  const app = await openOlder(makeFolder(), { data: 'one' });
  await app.announce('test');
  expect(await readAdmitted(await app.store())).toEqual([]);
  expect((await app.context(person)).actor.person).toBe(true);
});

test('an older store elsewhere takes a person at a terminal, and nobody by a token', async () => {
  const folder = makeFolder();
  const db = join(folder, 'shared.db');
  const app = await openOlder(folder, { data: 'one', db });
  await ownUserKey(app.config);
  await app.announce('test');
  await expect(app.context(person)).rejects.toSatisfy(refusal.nobodyAdmitted.is);
  const there = await openApp(folder, { data: 'one', db, terminal: true });
  expect((await there.context({})).actor.person).toBe(true);
  expect((await app.context(person)).actor.person).toBe(true);
});

test('a link to an older store makes it no part of another data folder', async () => {
  const folder = makeFolder();
  const real = await openOlder(folder, { data: 'one' });
  const other = await openApp(folder, { data: 'two' });
  mkdirSync(dirname(other.config.place.state), { recursive: true });
  symlinkSync(real.config.place.state, other.config.place.state);
  await expect(other.context(person)).rejects.toSatisfy(refusal.nobodyAdmitted.is);
  expect((await real.context(person)).actor.person).toBe(true);
});

test('the flag of an entry that needed no consent counts under its old name too', async () => {
  const store = await (await openApp(makeFolder(), { data: 'one' })).store();
  const admit = (data: object) =>
    store.commit(
      [],
      [
        {
          at: '2026-01-01T00:00:00.000Z',
          actor: 'human:os:me',
          subject: 'people',
          kind: 'user.admitted',
          project: 'x',
          data: JSON.stringify(data),
        },
      ],
    );
  await admit({ key: 'first', user_db: 'first' });
  await admit({ key: 'refused', user_db: 'refused' });
  await admit({ key: 'old', user_db: 'old', anew: true });
  await admit({ key: 'new', user_db: 'new', without_consent: true });
  expect(await readAdmitted(store)).toEqual(['first', 'old', 'new']);
});
