import { resolve } from 'node:path';
import { type HookPlace, type HookRules, answerHook, parseHook } from './answer.ts';
import { findHookedAgent, movedFolders } from '../fleet/agents.ts';
import { databaseName } from '../base/database-name.ts';
import { isJsonObject } from '../base/json-object.ts';
import { type Callers, agentAmong } from '../kernel/callers.ts';
import type { Endpoint } from '../kernel/endpoint.ts';
import type { Environment } from '../base/environment.ts';
import type { Principal } from '../kernel/principal.ts';
import type { Store } from '../kernel/store/store.ts';

interface HookApp {
  readonly config: HookRules & {
    readonly user: string;
    readonly home: string;
    readonly db: string;
    readonly environment: Environment;
  };
  readonly callers: (call: { readonly principal: Principal | undefined }) => Callers | Promise<Callers>;
  locate(folder: string): { readonly root: string; readonly tree: string };
  rootsAround(path: string): readonly string[];
  store(): Promise<Store>;
}

/** `POST /hook/claude?event=pre-tool-use`: answers like the process `sekisho hook`, without starting one. */
export function hookEndpoint(appFor: (project: string | undefined) => Promise<HookApp | undefined>): Endpoint {
  return {
    method: 'POST',
    path: '/hook/{client}',
    access: 'token',
    async handle({ variables, query, body, principal }) {
      const client = findHookedAgent(variables['client'] ?? '');
      if (client === undefined) return { status: 404, body: { error: `There is no client ${variables['client']}` } };
      const raw = parseHook(body);
      const cwd = isJsonObject(raw) ? client.hook.read(raw).cwd : undefined;
      const app = await appFor(query.get('project') ?? cwd);
      if (app === undefined)
        return { status: 404, body: { error: 'There is no such project; name one: ?project=/path/to/it' } };
      const { config } = app;
      // A forwarding hook names its database, if it is another one than ours.
      const asked = query.get('db');
      if (asked !== null && asked !== databaseName(config.db))
        return { status: 409, body: { error: 'This daemon has another database for that project' } };
      const passedOn = callersIn(query);
      const agent = agentAmong(passedOn ?? []);
      const actor = {
        role: 'agent',
        id: agent ?? principal?.identity ?? `os:${config.user}`,
        verified: agent === undefined && principal !== undefined,
        person: false,
      };
      const { all } = await app.callers({ principal });
      const placeIn = (one: HookApp): HookPlace => ({
        config: one.config,
        callers: passedOn ?? all,
        cwd: resolve(one.config.project.tree, cwd ?? '.'),
        home: one.config.home,
        moved: movedFolders(one.config.environment),
        // The actor is always an agent, regardless of the sender: a hook describes a call that an agent is about to make.
        actor,
        locate: (folder) => one.locate(folder),
        starts: [],
        rootsAround: (path) => one.rootsAround(path),
        elsewhere: async (root) => {
          const there = await appFor(root);
          return there && { ...placeIn(there), cwd: resolve(config.project.tree, cwd ?? '.') };
        },
        store: () => one.store(),
      });
      const { text, note } = await answerHook(
        { client: client.id, event: query.get('event') ?? undefined, text: body },
        { ...placeIn(app), config: settingsOf(config, query) },
      );
      // Encoded, since a header cannot contain Japanese.
      const headers = {
        'Content-Type': 'application/json',
        ...(note !== '' && { 'Sekisho-Note': encodeURIComponent(note) }),
      };
      return { status: 200, headers, body: text };
    },
  };
}

/** Returns the callers that a forwarding hook names. Requests through a session's socket cannot name any. */
function callersIn(query: URLSearchParams): readonly string[] | undefined {
  const all = query.getAll('caller');
  return all.length === 0 ? undefined : all;
}

/** Applies the settings that a forwarding hook took from its own environment. */
function settingsOf(config: HookRules, query: URLSearchParams): HookRules {
  const { project } = config;
  return {
    project: { ...project, key: query.get('key') ?? project.key },
    instance: undefined,
    place: config.place,
    process: config.process,
    hookFail: (['auto', 'open', 'closed'] as const).find((one) => one === query.get('fail')) ?? config.hookFail,
    lang: (['en', 'ja'] as const).find((one) => one === query.get('lang')) ?? config.lang,
  };
}
