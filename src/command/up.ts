import { resolve } from 'node:path';
import { announceBeforeFirstUse } from '../app/announce-start.ts';
import { type App, createApp } from '../app/application.ts';
import { createDashboardLogin, linkTo } from '../daemon/dashboard-login.ts';
import { claimDaemon } from '../daemon/claim.ts';
import { ensureDaemon, logOf } from '../daemon/process.ts';
import { daemonPhrase } from '../daemon/daemon-text.ts';
import { newId } from '../app/id.ts';
import { configure } from '../app/configure.ts';
import { markSandboxed } from '../sandbox/confine.ts';
import { createProjects } from '../daemon/projects.ts';
import { sessionEndpoint, sessionEntry } from '../daemon/sandbox-session.ts';
import { principalInRole } from '../app/actor.ts';
import { ensureAgentToken, openUserStore } from '../app/user/user-store.ts';
import { type Config, type Flags, readSurroundings, withoutOwnAgent } from '../config/load.ts';
import { listRoots } from '../config/root.ts';
import { agents, programNames } from '../fleet/agents.ts';
import { keepFleet } from '../fleet/index.ts';
import { keepDecisions } from '../gate/index.ts';
import { hookEndpoint } from '../hook/endpoint.ts';
import type { EndpointHost } from '../kernel/endpoint.ts';
import { stackOf } from '../base/failure.ts';
import { packagePath } from '../base/package.ts';
import { messageSettings } from '../kernel/message-size.ts';
import type { Module } from '../kernel/module.ts';
import type { Principal } from '../kernel/principal.ts';
import { readToken } from '../kernel/token.ts';
import type { Store } from '../kernel/store/store.ts';
import { readUserToken } from '../user/person.ts';
import { createLinkCode } from '../user/session.ts';
import { isProblem } from '../kernel/problem.ts';
import { version } from '../base/version.ts';
import { keepNotify } from '../notify/keep.ts';
import type { AgentCli } from '../fleet/agent-cli.ts';
import { clientsPreparedAnywhere } from '../setup/prepared-clients.ts';
import { findFirst } from '../machine/find-program.ts';
import { hasTargets } from '../notify/settings.ts';
import { limitLog } from '../machine/limited-log.ts';
import { modules } from '../modules.ts';
import { type Daemon, serveHttp } from '../surface/http/serve.ts';
import { createLog } from '../surface/log.ts';
import { screenOf } from '../surface/terminal/screen.ts';
import { say, printJson } from '../surface/terminal/print.ts';
import { type Command, exitCode } from './frame/command.ts';
import { configurationLines, farewell, firstSteps, greeting, projectLines } from './status/greeting.ts';
import { proxyOptions, withProxy } from './frame/proxy-flags.ts';
import { servedProject } from './status/served-project.ts';

export const up: Command = {
  options: {
    host: { type: 'string' },
    port: { type: 'string' },
    'or-free-port': { type: 'boolean' },
    background: { type: 'boolean' },
    'print-config': { type: 'boolean' },
    log: { type: 'string' },
    ...proxyOptions,
  },
  usage:
    'sekisho up [--background] [--print-config] [--host 127.0.0.1] [--port 9696] [--or-free-port] [--log FILE] [--upstream URL …, as for mcp]',
  examples: [
    'sekisho up',
    'sekisho up --background',
    'sekisho up --port 9700 --db postgres://sekisho@db.internal/sekisho',
  ],
  async run({ flags: given, options, json }) {
    const flags = withProxy(given, options);
    const around = withoutOwnAgent(readSurroundings());
    const config = await configure(flags, around);
    const servedRoots = () => rootsOf(config, flags.project ?? around.env['SEKISHO_PROJECT']);
    if (options['background'] === true)
      return startDaemon(config, flags, {
        json,
        printsConfig: options['print-config'] === true,
        orFreePort: options['or-free-port'] === true,
        hasProjects: servedRoots().length > 0,
      });
    // A daemon in the background prints to this file; `limitLog` keeps it small.
    if (typeof options['log'] === 'string') process.once('exit', limitLog(options['log'], logBytes, logLookMs));
    const now = () => new Date();
    const log = createLog(config.logLevel, (line) => process.stderr.write(line), now);
    const users = await openUserStore(config);
    const announce = await claimDaemon(config.place.data);
    const tokenFile = await ensureAgentToken(users, config);
    const projects = createProjects({
      flags,
      around,
      config,
      async opened(made) {
        let leave = () => {};
        const begin = async () => {
          await made.announce('daemon');
          const context = await made.context({ as: 'system' });
          const leaveFleet = keepFleet(context, made.config.environment);
          const leaveDecisions = keepDecisions(context);
          const leaveNotify = keepNotify(context, () => daemon.page);
          leave = () => {
            leaveFleet();
            leaveDecisions();
            leaveNotify();
          };
        };
        const app = announceBeforeFirstUse(made, begin, (error) =>
          log.error('a project cannot be served', {
            project: made.config.project.root,
            reason: isProblem(error) ? `${error.code} ${error.in(config.lang)}` : stackOf(error),
          }),
        );
        // Opened at once, to clean up after a killed daemon. A store that is away is reported to the next caller.
        await app.context({ as: 'system' }).catch(() => undefined);
        return { app, leave: () => leave() };
      },
    });
    /** The host of a module's endpoints. It hides projects that do not serve the module's toolset. */
    const hostOf = (module: Pick<Module, 'name'>): EndpointHost => {
      const find = async (project: string | undefined) => {
        const there = await projects.find(project);
        return there?.toolsets.some((one) => one === module.name) === true ? there : undefined;
      };
      return {
        contextFor: async ({ query, principal }) =>
          principal && (await find(query.get('project') ?? undefined))?.context({ principal }),
        systemContext: async (project) => (await find(project))?.context({ as: 'system' }),
      };
    };
    const close = () => Promise.allSettled([projects.close(), users.close()]);
    const sessions = sessionEndpoint({
      open: (session) => daemon.openSession(session),
      admit: async (project, identity, start) => {
        const app = await projects.find(project);
        if (app === undefined) return undefined;
        markSandboxed(app.config.place);
        const context = await app.context({ as: 'system' });
        await context.store.commit([], [sessionEntry(context, identity, start)]);
        return app.config.place.tree;
      },
    });
    const daemon: Daemon = await serveHttp({
      version,
      ...config.http,
      orFreePort: options['or-free-port'] === true,
      log,
      lang: config.lang,
      maxMessageBytes: messageSettings.of(config).maxMessageBytes,
      authenticate: async (token, project, wanted) => {
        const known =
          (await readUserToken(users, token, now())) ??
          (await agentToken(token, await projects.findRegistered(project)));
        if (known === undefined || wanted === undefined) return known;
        const agentRoles = async () => (await projects.find(project))?.agentRoles() ?? new Set<string>();
        return (await principalInRole(known, wanted, agentRoles)) ?? 'forbidden';
      },
      endpoints: [hookEndpoint(projects.find), ...(await fold(modules, (one) => one.endpoints, hostOf))],
      sockets: [sessions, ...(await fold(modules, (one) => one.sockets, hostOf))],
      appFor: projects.serve,
      dashboard: {
        web: packagePath('dist', 'web'),
        door: createDashboardLogin({ users, user: config.user, now, roots: servedRoots }),
        rootFor: projects.find,
        newId,
        operations: async () => (await (await import('../app/catalogue.ts')).loadCatalogue()).operations,
      },
    }).catch(async (error: unknown) => {
      await close();
      throw error;
    });
    announce(daemon);
    // Its own project is opened at once, for the feed and to clean up after a killed daemon.
    const own = await (await projects.find(undefined))?.context({ as: 'system' });
    // So are projects with notifications.
    void projects.openWhere(hasTargets);
    const roots = listRoots(config.place.data).map((one) => one.path);
    let stopping = false;
    const stop = () => {
      if (stopping) return;
      stopping = true;
      const closing = [daemon.close(), close()];
      void Promise.allSettled(closing).then(() => process.exit(0));
      setTimeout(() => process.exit(0), 3000).unref();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
    if (json) {
      const told = { url: daemon.url, mcp: `${daemon.url}/mcp`, tokens: { agent: tokenFile } };
      const store = own?.store.location ?? null;
      printJson({ ...told, db: store, roots });
      return undefined;
    }
    const screen = screenOf(config.lang);
    const link = (config.terminal ? await linkFor(config, users, daemon.page) : undefined) ?? daemon.page;
    const served = servedRoots();
    const hasProjects = served.length > 0;
    process.stdout.write(greeting({ url: daemon.url, link, hasProjects }, screen));
    for (const root of served) {
      const seen = await servedProject(root, projects.find);
      if (seen !== undefined) process.stdout.write(projectLines(seen, screen));
    }
    if (options['print-config'] === true) {
      const [first] = roots;
      const byHand = {
        url: daemon.url,
        tokenFile,
        db: own?.store.location,
        root: own?.project.root ?? first,
        clients: listShownClients(config),
      };
      process.stdout.write(configurationLines(byHand));
    }
    process.stdout.write(farewell(hasProjects, screen));
    return undefined;
  },
};

const logBytes = 5 * 1024 * 1024;
const logLookMs = 60_000;

/** Starts the daemon in the background, or finds the one that runs: a user has one. */
async function startDaemon(
  config: Config,
  flags: Flags,
  {
    json,
    printsConfig,
    orFreePort,
    hasProjects,
  }: Readonly<Record<'json' | 'printsConfig' | 'orFreePort' | 'hasProjects', boolean>>,
): Promise<number> {
  const { data } = config.place;
  const { db, upstream, noInit, ...rest } = flags;
  // The daemon runs in another folder, so paths must be absolute.
  const whole = {
    ...rest,
    ...(rest.project !== undefined && { project: config.place.tree }),
    ...(rest.initScript !== undefined && { initScript: resolve(rest.initScript) }),
  };
  const args = [
    ...Object.entries(whole).map(
      ([key, value]) => `--${key.replaceAll(/[A-Z]/g, (one) => `-${one.toLowerCase()}`)}=${value}`,
    ),
    ...(noInit === undefined ? [] : ['--no-init']),
    ...(orFreePort ? ['--or-free-port'] : []),
  ];
  const named = db ?? config.environment['SEKISHO_DB'];
  const env = {
    ...(named !== undefined && { SEKISHO_DB: config.db }),
    ...(upstream !== undefined && { MCP_UPSTREAM: upstream }),
  };
  const { url, pid, started } = await ensureDaemon(config, { args, env });
  const log = logOf(data);
  if (json) printJson({ url, log, started, tokens: { agent: data.agentToken } });
  else {
    say(`${daemonPhrase.up({ url, pid, again: !started, log })(config.lang)}\n`);
    if (!hasProjects) say(`\n${firstSteps(screenOf(config.lang))}\n`);
  }
  const byHand = {
    url,
    tokenFile: data.agentToken,
    db: undefined,
    root: config.place.root,
    clients: listShownClients(config),
  };
  if (printsConfig && !json) say(configurationLines(byHand));
  return exitCode.ok;
}

/** The clients whose configuration is printed: installed or prepared ones, or all where there are none. */
function listShownClients({ place, environment }: Config): readonly AgentCli[] {
  const prepared = clientsPreparedAnywhere(place.state);
  const found = agents.filter(
    (one) =>
      prepared.includes(one.id) ||
      (one.program !== undefined &&
        findFirst(programNames(one, undefined), environment['PATH'] ?? '', place.tree) !== undefined),
  );
  return found.some((one) => one.remoteServer !== undefined) ? found : agents;
}

/** A link that signs the person at this terminal in; undefined for an agent. */
async function linkFor(config: Config, users: Store, url: string): Promise<string | undefined> {
  const app = createApp(config);
  const actor = await app.actor({}).catch(() => undefined);
  await app.close();
  if (actor?.person !== true) return undefined;
  const by = { actor, project: { key: 'user' }, now: () => new Date() };
  return linkTo(url, await createLinkCode(users, by, actor.id));
}

/** Every registered root, and the folder given by `--project` or SEKISHO_PROJECT. */
function rootsOf({ place }: Config, given: string | undefined): readonly string[] {
  const registered = listRoots(place.data).map((one) => one.path);
  return given === undefined || registered.includes(place.root) ? registered : [...registered, place.root];
}

/** The principal of an agent's token, which is in the store of the agent's project. */
async function agentToken(token: string, app: App | undefined): Promise<Principal | undefined> {
  if (app === undefined) return undefined;
  const store = await app.store();
  return readToken(store, token, store.now());
}

/** The endpoints (or sockets) of all modules. */
async function fold<T>(
  list: readonly Module[],
  kind: (one: Module) => (() => Promise<(host: EndpointHost) => readonly T[]>) | undefined,
  hostOf: (one: Module) => EndpointHost,
): Promise<readonly T[]> {
  const made = await Promise.all(list.map(async (one) => (await kind(one)?.())?.(hostOf(one)) ?? []));
  return made.flat();
}
