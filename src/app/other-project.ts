import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import type { Config } from '../config/load.ts';
import { locate } from '../config/locate.ts';
import type { Store } from '../kernel/store/store.ts';
import type { Elsewhere } from '../kernel/policy.ts';
import { configure } from './configure.ts';

/** The parts of another project's application that are needed here. */
interface Other {
  readonly config: Config;
  store(): Promise<Store>;
  close(): Promise<void>;
}

/** Finds the project of a folder that a caller names, and opens it once. */
export function otherProjectFor(
  config: Config,
  open: (config: Config) => Other,
  onClose: (close: () => Promise<void>) => void,
): Elsewhere {
  const opened = new Map<string, Promise<Other>>();
  onClose(async () => {
    await Promise.allSettled([...opened.values()].map(async (app) => (await app).close()));
  });
  // These variables are only for this process's own project and run.
  const {
    SEKISHO_PROJECT: _project,
    SEKISHO_PROJECT_KEY: _key,
    SEKISHO_PROCESSES: _processes,
    SEKISHO_RUN_ID: _run,
    ...env
  } = config.environment;
  const { dbByFlag: db } = config;
  return async (context, given) => {
    const { tree, root } = config.project;
    const folder = resolve(tree, given.replace(/^~(?=\/|$)/, homedir()));
    const place = locate({ project: folder, cwd: root, env });
    if (place.root === root) return undefined;
    // The folder has no project yet, and a lookup must not create a database.
    if (!place.registered && !existsSync(place.db) && (db ?? env['SEKISHO_DB']) === undefined) return undefined;
    const flags = { project: folder, ...(db !== undefined && { db }) };
    const app = opened.get(place.root) ?? configure(flags, { env, cwd: root, terminal: false }).then(open);
    opened.set(place.root, app);
    app.catch(() => opened.delete(place.root));
    const { project } = (await app).config;
    return { ...context, store: await (await app).store(), project, runId: undefined };
  };
}
