import { once } from '../base/once.ts';
import { existsSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { actorsOf } from './actor.ts';
import { actorIn, admitFirst } from './user/admitted.ts';
import type { Config } from '../config/load.ts';
import { type ProjectPlace, locate, rootsAround } from '../config/locate.ts';
import { runCallback } from './callbacks.ts';
import { claimRootFor } from './claim-root.ts';
import { newId } from './id.ts';
import { createJournalWatch } from './journal-watch.ts';
import { openProjectStore } from './open-store.ts';
import { rejectsDots, rejectsErrors } from '../kernel/agent-marks.ts';
import type { Application, OperationCall, ListedTool } from '../kernel/application.ts';
import {
  type AppearedRepository,
  confinePort,
  filesNotWrittenByAgentsPort,
  repositoriesAppeared,
  repositoriesText,
  sandboxPort,
} from '../sandbox/port.ts';
import { clientsPreparedAnywhere } from '../setup/prepared-clients.ts';
import type { Actor, Context } from '../kernel/context.ts';
import { type Callers, noCallers } from '../kernel/callers.ts';
import { callersBy, ownCallers } from './callers.ts';
import { confineFor, findFilesNotWrittenByAgents } from '../sandbox/confine.ts';
import { currentSettings } from '../kernel/current-settings.ts';
import { currentSettingsFor } from './current-settings.ts';
import { entry } from '../kernel/store/journal.ts';
import { noticeSources } from '../kernel/notice.ts';
import { messageSettings } from '../kernel/message-size.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Host } from '../kernel/module.ts';
import type { Catalogue } from '../kernel/operation.ts';
import { elsewherePort, policyPort } from '../kernel/policy.ts';
import type { Ports } from '../kernel/port.ts';
import { relayPort } from '../kernel/relay.ts';
import { modules } from '../modules.ts';
import { agentRolesPort } from '../kernel/role.ts';
import type { Entry, Store } from '../kernel/store/store.ts';
import { readToken } from '../kernel/token.ts';
import { userHead } from './user/user-head.ts';
import { withUserStore } from './user/user-store.ts';
import { readUserToken } from '../user/person.ts';
import { createLog } from '../surface/log.ts';
import { dotsToUnderscores } from '../kernel/tool-name.ts';
import { version } from '../base/version.ts';
import { clientsWithHooks, recordTrust, ringsPort, shutInPort } from '../gate/ports.ts';
import { configurationNote } from '../kernel/trust.ts';
import { otherProjectFor } from './other-project.ts';
import { recordTrustFor } from './user/record-trust.ts';
import { verifyPort } from '../journal/ports.ts';
import { claimRoot } from '../work/ports.ts';
import { isProblem, refusal } from '../kernel/problem.ts';
import { readTools } from './tools.ts';

export interface App extends Application {
  readonly config: Config;
  store(): Promise<Store>;
  /** The principal of the token that this process was started with; undefined without a token. */
  principal(): Promise<Principal | undefined>;
  /** The processes and the agent that a call comes from. */
  readonly callers: CallersOf;
  /** The project of a folder. */
  locate(folder: string): ProjectPlace;
  /** Every registered root that a path may belong to. */
  rootsAround(path: string): readonly string[];
  /** The actor of a call. Opens the store only if it has to look up a token. */
  actor(call: OperationCall): Promise<Actor>;
  /** The roles beside `agent` that an agent may have in this project. */
  agentRoles(): Promise<ReadonlySet<string>>;
  /** Journals that a server started, with the digest of its configuration. */
  announce(surface: string): Promise<void>;
}

export type CallersOf = (call: Pick<OperationCall, 'principal' | 'as'>) => Callers | Promise<Callers>;

function defaultCallers(config: Config): CallersOf {
  let own: Promise<Callers> | undefined;
  return (call) => {
    if (call.as !== undefined) return noCallers;
    return call.principal === undefined ? (own ??= ownCallers(config.environment)) : callersBy(call);
  };
}

/** Creates the application of a project from all modules. The store is opened at the first use. */
export function createApp(config: Config, callersOf = defaultCallers(config)): App {
  const now = () => new Date();
  const log = createLog(config.logLevel, (line) => process.stderr.write(line), now);
  const closing = new AbortController();
  // If opening fails, the next call tries again: the database may be available by then.
  const store = once(() => openProjectStore(config.place.state, config.db));

  // The principal of a process that was started with a token (an agent's server). It is read each time: a token that was
  // revoked or has expired must stop working.
  const owner = async (): Promise<Principal | undefined> => {
    const { token } = config;
    if (token === undefined) return undefined;
    const person = await userToken(config, token);
    if (person !== undefined) return person;
    const opened = await store();
    const found = await readToken(opened, token, opened.now());
    if (found === undefined) throw refusal.token();
    return found;
  };

  const reportRepositories = async (found: readonly AppearedRepository[], by: string) => {
    log.warn(repositoriesText(found)(config.lang));
    try {
      const here = await context({ as: 'system' });
      await here.store.commit([], [entry(here, by, repositoriesAppeared, { found })]);
    } catch (error) {
      // The operation after which they were found must not fail because of this.
      log.warn(repositoriesAppeared, { reason: String(error) });
    }
  };

  let listed: readonly ListedTool[] | undefined;
  const tools = () => (listed ??= readTools());
  const agents = modules.flatMap((one) => one.agents ?? []);
  let loading: Promise<Catalogue> | undefined;
  const catalog = () => (loading ??= import('./catalogue.ts').then((file) => file.loadCatalogue()));
  const closers: (() => Promise<void>)[] = [];
  const host: Host = {
    settings: config.settings,
    context: () => context({ as: 'system' }),
    toolNames: () => tools().map((one) => String(one.tool['name'])),
    onClose: (close) => closers.push(close),
  };
  const offers = [
    ...modules.flatMap((one) => one.offers?.(host) ?? []),
    noticeSources.offer(modules.flatMap((one) => one.notices ?? [])),
    claimRoot.offer(claimRootFor(config)),
    confinePort.offer(confineFor(config.place, config.sandbox, { by: 'sandbox', report: reportRepositories })),
    sandboxPort.offer(config.sandbox),
    filesNotWrittenByAgentsPort.offer(findFilesNotWrittenByAgents),
    currentSettings.offer(currentSettingsFor(config, log)),
    clientsWithHooks.offer((project) => clientsPreparedAnywhere(project.state)),
    recordTrust.offer(recordTrustFor(config)),
    ringsPort.offer(async (here) =>
      (await import('../setup/rings.ts')).examineRings(config, { store: here.store, context: here }),
    ),
    shutInPort.offer(async (here) => (await import('../daemon/sandbox-session.ts')).readSandbox(here)),
    verifyPort.offer(async (here, head) => (await import('./verify.ts')).verifyAll(config, here.store, head)),
    elsewherePort.offer(otherProjectFor(config, createApp, (close) => closers.push(close))),
  ];
  const ports: Ports = new Map(offers.map(({ port, implementation }) => [port, implementation]));
  const agentRoles = () => agentRolesPort.of({ ports })({ settings: config.settings, project: config.project, ports });
  const actorOf = actorsOf({ config, agents, owner, agentRoles });

  const context = async (call: OperationCall): Promise<Context> => {
    const opened = store.made() ?? (await store());
    const terminal = config.terminal && config.token === undefined && call.principal === undefined;
    const actor = await actorIn(config, opened, await actorOf(call), { terminal });
    return {
      store: opened,
      actor,
      project: config.project,
      settings: config.settings,
      ports,
      callback: runCallback,
      environment: config.environment,
      database: config.db,
      runId: call.runId ?? config.runId,
      callers: await callersOf(call),
      connection: call.connection,
      log,
      signal: call.signal ?? closing.signal,
      now: () => opened.now(),
      newId,
      lang: call.lang ?? config.lang,
      say: (sentence) => sentence(call.lang ?? config.lang),
      progress: call.progress ?? (() => undefined),
    };
  };

  const app: App = {
    config,
    version,
    lang: config.lang,
    toolsets: config.toolsets,
    maxMessageBytes: messageSettings.of(config).maxMessageBytes,
    listing: (client = '') => ({
      dots: config.toolNames === 'auto' ? !rejectsDots(agents, client) : config.toolNames === 'dotted',
      outputSchemas: !rejectsErrors(agents, client),
    }),
    introduction(visible, client) {
      const as = (tool: string) => (app.listing(client).dots ? tool : dotsToUnderscores(tool));
      return modules
        .filter((one) => visible.some((toolset) => toolset === one.name))
        .flatMap((one) => one.introduction?.(config, as) ?? [])
        .map((sentence) => sentence(config.lang))
        .join('\n');
    },
    policy: policyPort.of({ ports }),
    relay: relayPort.of({ ports }),
    store,
    principal: owner,
    actor: actorOf,
    callers: callersOf,
    rootsAround: (path) => rootsAround(config.place.data, path).map((root) => root.path),
    locate: (folder) => locate({ project: folder, cwd: folder, env: { SEKISHO_DATA: config.place.data.path } }),
    agentRoles,
    context,
    tools,
    catalog,
    isPerson: async (call) => {
      try {
        return (await actorOf(call)).person;
      } catch (error) {
        if (isProblem(error)) return false;
        throw error;
      }
    },
    watch: createJournalWatch(store, log, closing.signal),
    async announce(surface) {
      const here = await context({ as: 'system' });
      const { digest = null, trust = null } = config.file ?? {};
      const started = { version, pid: process.pid, configuration: digest, trust };
      // The server works without the user database; the journal only proves less later.
      const warnOfProblem = (error: unknown): readonly Entry[] => {
        if (!isProblem(error)) throw error;
        log.warn('user.db', { reason: error.in(config.lang) });
        return [];
      };
      const users = await userHead(config, here, here.store).catch(warnOfProblem);
      if (existsSync(config.place.data.userDatabase)) await admitFirst(config, here.store, here).catch(warnOfProblem);
      await here.store.commit([], [entry(here, surface, 'server.started', started), ...users]);
      const note = configurationNote(config.project.configuration);
      if (note !== undefined) log.warn(note(config.lang));
      // Modules clean up after killed servers in the background; no call waits for it.
      void beginModules(here, closing.signal);
    },
    async close() {
      closing.abort();
      await Promise.all(closers.map((close) => close()));
      await (await store.begun())?.close();
    },
  };
  return app;
}

/** The delay of the cleanup, so that it does not slow down the first requests. */
const beginAfterMs = 1000;

async function beginModules(context: Context, signal: AbortSignal): Promise<void> {
  try {
    await pause(beginAfterMs, undefined, { signal, ref: false });
    for (const one of modules) await one.begin?.(context);
  } catch (error) {
    // The next server tries again.
    if (!signal.aborted) context.log.warn('cleaning up after dead servers failed', { reason: String(error) });
  }
}

/** Looks up a token of the user. It is valid for all of the user's projects, so it is in no project's store. */
async function userToken(config: Config, token: string): Promise<Principal | undefined> {
  const first = config.environment['SEKISHO_PERSON_TOKEN'] ?? '';
  if (first === '' && !existsSync(config.place.data.userDatabase)) return undefined;
  return withUserStore(config, (users) => readUserToken(users, token, new Date()));
}
