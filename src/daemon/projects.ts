import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type App, createApp } from '../app/application.ts';
import { configure } from '../app/configure.ts';
import type { Config, Flags, Surroundings } from '../config/load.ts';
import { type ProjectPlace, locate } from '../config/locate.ts';
import { listRoots } from '../config/root.ts';
import type { Application } from '../kernel/application.ts';
import { problem } from '../kernel/problem.ts';
import { textFault } from '../kernel/json-limits.ts';

interface ProjectsOptions {
  readonly flags: Flags;
  readonly around: Surroundings;
  /** The daemon's own configuration: where it listens, its language. */
  readonly config: Config;
  readonly opened: (app: App) => Promise<OpenedProject>;
}

interface Found {
  readonly folder: string;
  readonly place: ProjectPlace;
}

interface OpenedProject {
  readonly app: App;
  readonly leave: () => void;
}

export type Projects = ReturnType<typeof createProjects>;

/** The projects that a daemon serves: the user's registered roots, and any other folder by its path. */
export function createProjects({ flags, around, config, opened }: ProjectsOptions) {
  const known = new Map<string, Promise<OpenedProject>>();
  const { data } = config.place;
  const given = flags.project ?? around.env['SEKISHO_PROJECT'];
  // These variables are for the daemon's own project; other projects have their own rows and definitions.
  const { SEKISHO_PROJECT: _project, SEKISHO_PROJECT_KEY: _key, SEKISHO_PROCESSES: _processes, ...rest } = around.env;

  const configOf = (folder: string, isOwn: boolean): Promise<Config> => {
    const env = isOwn ? around.env : rest;
    return configure({ ...flags, project: folder }, { ...around, env });
  };

  const onlyRoot = () => {
    const roots = listRoots(data);
    return roots.length === 1 ? roots[0]?.path : undefined;
  };

  /** Reads the registry each time: another process may have registered, moved or removed the root. */
  const search = (project: string | undefined): Found | undefined => {
    const named = project ?? given ?? onlyRoot();
    if (named === undefined) return undefined;
    const folder = resolve(around.cwd, named);
    if (textFault(folder) !== undefined) return undefined; // No file system has such a name.
    if (project !== undefined && statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true) return undefined;
    return { folder, place: locate({ project: folder, cwd: around.cwd, env: rest }) };
  };

  const open = async (folder: string, isOwn: boolean) => opened(createApp(await configOf(folder, isOwn)));

  const appOf = async ({ folder, place }: Found): Promise<App> => {
    // The key has the whole place, because the same folder may have another store by now.
    const key = JSON.stringify(place);
    const one = known.get(key) ?? open(folder, place.root === config.place.root);
    known.set(key, one);
    // After a failure the next request tries again: the configuration may be fixed by then.
    one.catch(() => known.delete(key));
    return (await one).app;
  };

  /** Finds the named project. Without a name it is the daemon's own, else the only registered one. */
  const find = async (project: string | undefined): Promise<App | undefined> => {
    const found = search(project);
    return found && appOf(found);
  };

  let projectless: Application | undefined;
  return {
    find,
    /** Finds a registered project only, for callers that are not authenticated yet. */
    async findRegistered(project: string | undefined): Promise<App | undefined> {
      const found = search(project);
      return found !== undefined && (project === undefined || found.place.registered) ? appOf(found) : undefined;
    },
    /** Finds a project for MCP. Without one a client can still list tools, and each call says how to name a project. */
    serve: async (project: string | undefined): Promise<Application | undefined> => {
      const app = await find(project);
      if (app !== undefined || project !== undefined) return app;
      return (projectless ??= withoutProject(config, () => listRoots(data).map((one) => one.path)));
    },
    /** Opens each registered root whose configuration wants it open before the first request. */
    async openWhere(isWanted: (config: Config) => boolean): Promise<void> {
      for (const { path } of listRoots(data)) {
        const openIfWanted = async () =>
          isWanted(await configOf(path, path === config.place.root)) && (await find(path));
        await openIfWanted().catch(() => undefined); // Requests for the project report the problem.
      }
    },
    async close(): Promise<void> {
      await Promise.allSettled(
        [...known.values()].map(async (one) => {
          const { app, leave } = await one;
          leave();
          await app.close();
        }),
      );
    },
  };
}

/** The application for a client that names no project although there are several. */
function withoutProject(config: Config, roots: () => readonly string[]): Application {
  return {
    ...createApp(config),
    relay: undefined,
    context: async () => {
      throw problem.PROJECT_NEEDED({ roots: roots() });
    },
    watch: async () => () => undefined,
  };
}
