import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inject } from 'vitest';
import { type App, createApp } from '../../src/app/application.ts';
import { admitKey, ownUserKey } from '../../src/app/user/admitted.ts';
import { configure } from '../../src/app/configure.ts';
import type { Context } from '../../src/kernel/context.ts';
import { freshDatabase } from './database.ts';
import type { Database } from './databases.ts';
import { trustConfiguration } from './trust.ts';

export interface Bench {
  readonly project: string;
  /** A context with a store connection of its own, as another process would have. */
  context(role?: string): Promise<Context>;
  /** The same project in another clone, as on another machine: one database, and neither its files nor its data folder. */
  elsewhere(role?: string): Promise<Context>;
  /** As if a person had looked at the configuration. */
  trustConfiguration(): Promise<void>;
  close(): Promise<void>;
}

/** The application without any surface around it, on a real database. */
export async function makeBench(database: Database): Promise<Bench> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-bench-')));
  const project = join(folder, 'project');
  mkdirSync(join(project, '.sekisho/processes'), { recursive: true });
  const fresh = database === 'postgres' ? await freshDatabase(undefined, inject('templates').postgres) : undefined;
  const env = {
    XDG_DATA_HOME: join(folder, 'data'),
    ...(fresh !== undefined && { SEKISHO_DB: fresh.url }),
    LOG_LEVEL: 'error',
  };
  const apps: App[] = [];
  const bench: Bench = {
    project,
    trustConfiguration: () => trustConfiguration(project, env),
    async context(role = 'agent') {
      const app = createApp(await configure({}, { env, cwd: project, terminal: false }));
      apps.push(app);
      return app.context(role === 'agent' ? {} : { principal: { role, identity: 'os:me', person: true } });
    },
    async elsewhere(role = 'agent') {
      const { db, project: here } = await configure({}, { env, cwd: project, terminal: false });
      const clone = join(folder, 'clone');
      mkdirSync(clone, { recursive: true });
      const there = {
        ...env,
        XDG_DATA_HOME: join(folder, 'clone-data'),
        SEKISHO_DB: db,
        SEKISHO_PROJECT_KEY: here.key,
      };
      const config = await configure({}, { env: there, cwd: clone, terminal: false });
      const app = createApp(config);
      apps.push(app);
      // As if a person here had admitted the people of the other machine.
      const by = await bench.context('human');
      await admitKey(by.store, by, await ownUserKey(config));
      return app.context(role === 'agent' ? {} : { principal: { role, identity: 'os:me', person: true } });
    },
    async close() {
      await Promise.all(apps.map((app) => app.close()));
      await fresh?.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return bench;
}
