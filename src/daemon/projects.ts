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

/** Every project that a daemon serves: the registered roots of its user, and by its path any other folder. */
export interface Projects {
  /** The one that was named; without a name the daemon's own, else the only one. Undefined where there is none such. */
  readonly find: (project: string | undefined) => Promise<App | undefined>;
  /** The same, of registered roots only: for whoever has not shown yet that they may open any. */
  readonly findRegistered: (project: string | undefined) => Promise<App | undefined>;
  /** The same for MCP: without a project a client may still ask what there is, and each call says how to name one. */
  readonly serve: (project: string | undefined) => Promise<Application | undefined>;
  /** Opens every registered root that a configuration wants open although nobody asks for it. */
  readonly openWhere: (isWanted: (config: Config) => boolean) => Promise<void>;
  close(): Promise<void>;
}

export interface ProjectsOptions {
  readonly flags: Flags;
  readonly around: Surroundings;
  /** The daemon's own configuration: where it listens, its language. */
  readonly config: Config;
  /** Called for each project when it is first asked for. */
  readonly opened: (app: App) => Promise<OpenedProject>;
}

/** The folder that a request means, and the project that it belongs to. */
interface Found {
  readonly folder: string;
  readonly place: ProjectPlace;
}

export interface OpenedProject {
  readonly app: App;
  /** What to do at the end. */
  readonly leave: () => void;
}

export function createProjects({ flags, around, config, opened }: ProjectsOptions): Projects {
  const known = new Map<string, Promise<OpenedProject>>();
  const { data } = config.place;
  const given = flags.project ?? around.env['SEKISHO_PROJECT'];
  // Of one project, the daemon's own; what it serves beside it has other rows and definitions.
  const { SEKISHO_PROJECT: _project, SEKISHO_PROJECT_KEY: _key, SEKISHO_PROCESSES: _processes, ...rest } = around.env;

  const configOf = (folder: string, isOwn: boolean): Promise<Config> => {
    const env = isOwn ? around.env : rest;
    return configure({ ...flags, project: folder }, { ...around, env });
  };

  const onlyRoot = () => {
    const roots = listRoots(data);
    return roots.length === 1 ? roots[0]?.path : undefined;
  };

  /** Looks at the registry each time: another process may have registered, moved or removed the root. */
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
    // The whole place: the same folder may have another store by now.
    const key = JSON.stringify(place);
    const one = known.get(key) ?? open(folder, place.root === config.place.root);
    known.set(key, one);
    // A configuration that was broken once may be corrected by now.
    one.catch(() => known.delete(key));
    return (await one).app;
  };

  const find = async (project: string | undefined): Promise<App | undefined> => {
    const found = search(project);
    return found && appOf(found);
  };

  let homeless: Application | undefined;
  return {
    find,
    async findRegistered(project) {
      const found = search(project);
      return found !== undefined && (project === undefined || found.place.registered) ? appOf(found) : undefined;
    },
    async serve(project) {
      const app = await find(project);
      if (app !== undefined || project !== undefined) return app;
      return (homeless ??= withoutProject(config, () => listRoots(data).map((one) => one.path)));
    },
    async openWhere(isWanted) {
      for (const { path } of listRoots(data)) {
        // One that cannot be opened says so to whoever asks for it.
        const isOpened = async () => isWanted(await configOf(path, path === config.place.root)) && (await find(path));
        await isOpened().catch(() => undefined);
      }
    },
    async close() {
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

/** What a client gets that named no project where there are several. */
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
