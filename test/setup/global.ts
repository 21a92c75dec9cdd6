import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { openUserStore } from '../../src/app/user/user-store.ts';
import { userName } from '../../src/config/load.ts';
import { locate } from '../../src/config/locate.ts';
import { createDatabase } from './database.ts';
import { type PostgresServer, startPostgres } from './postgres-server.ts';
import { personToken } from './person.ts';
import { killAll, processes } from './processes.ts';
import { until } from './until.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The admin database of the one server of this run; `freshDatabase` makes others from it. */
    postgresUrl: string;
    /** A database of each kind with every table and no row: a world's store is a copy. */
    templates: { readonly sqlite: string; readonly postgres: string; readonly user: string };
  }
}

const bin = resolve(import.meta.dirname, '../../bin/sekisho');

export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // Worlds' folders begin with the mark, and every process that a test starts has it in its environment.
  const mark = `sekisho-test-${randomBytes(4).toString('hex')}`;
  process.env['SEKISHO_TEST_RUN'] = mark;
  const folder = mkdtempSync(join(tmpdir(), `${mark}-templates-`));
  const templates = { sqlite: join(folder, 'template.db'), postgres: 'sekisho_template', user: await makeUser(folder) };
  const [server] = await Promise.all([
    // A tier that has only SQLite says so in its configuration; it needs no PostgreSQL on the machine.
    project.config.env?.['SEKISHO_TEST_DATABASES'] === 'sqlite'
      ? undefined
      : servePostgres(project, folder, templates.postgres),
    migrate(folder, templates.sqlite),
  ]);
  project.provide('templates', templates);
  return async () => {
    await server?.remove();
    rmSync(folder, { recursive: true, force: true });
    await expectNothingLeft(mark);
  };
}

async function servePostgres(project: TestProject, folder: string, template: string): Promise<PostgresServer> {
  const server = await startPostgres();
  const { url } = await createDatabase(server.url, template);
  await migrate(folder, url);
  project.provide('postgresUrl', server.url);
  return server;
}

/** The state of a user who has a token already, as a headless first start makes it. */
async function makeUser(folder: string): Promise<string> {
  const env = { XDG_DATA_HOME: join(folder, 'data'), SEKISHO_PERSON_TOKEN: personToken };
  const place = locate({ cwd: folder, env });
  const store = await openUserStore({ place, user: userName(), environment: env });
  await store.close();
  return place.data.userDatabase;
}

/** By a command that writes nothing, so that a copy is as empty as a new one. */
async function migrate(folder: string, db: string): Promise<void> {
  const project = mkdtempSync(join(folder, 'project-'));
  mkdirSync(join(project, '.sekisho'));
  const env = { PATH: process.env['PATH'] ?? '', HOME: folder, LANG: 'C', SEKISHO_DB: db };
  await promisify(execFile)(process.execPath, [bin, 'journal', 'list', '--json'], { cwd: project, env });
}

/** Whoever leaves a process behind fails the run: on a developer's machine it would stay. */
async function expectNothingLeft(mark: string): Promise<void> {
  // Our own children are vitest's workers and its bundler.
  const isLeft = (found: { pid: number; parent: number; environment: string }): boolean =>
    found.environment.includes(mark) && found.pid !== process.pid && found.parent !== process.pid;
  // One that has been told to end may still be at it.
  const left = await until(
    'nothing is left',
    () => processes(isLeft),
    (found) => found.length === 0,
    20_000,
  ).catch(() => processes(isLeft));
  if (left.length === 0) return;
  await killAll(isLeft);
  // Vitest prints what a teardown throws, and ends with 0 all the same.
  process.exitCode = 1;
  throw new Error(`left behind by tests:\n${left.map(({ pid, command }) => `  ${pid} ${command}`).join('\n')}`);
}
