import { configure } from '../app/configure.ts';
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { App } from '../app/application.ts';
import { createApp } from '../app/application.ts';
import type { Command } from './command.ts';
import { surroundings, withoutOwnAgent } from '../config/load.ts';
import { keepFleet } from '../fleet/index.ts';
import { announceDaemon } from '../app/daemon.ts';
import { hookEndpoint } from '../hook/endpoint.ts';
import { ownCommand } from '../hook/install.ts';
import { createLog } from '../surface/log.ts';
import { serveHttp } from '../surface/http/serve.ts';
import { style } from '../surface/terminal/style.ts';
import type { EndpointHost } from '../kernel/endpoint.ts';
import type { Module } from '../kernel/module.ts';
import { modules } from '../modules.ts';
import { tokenReader } from '../kernel/token.ts';
import { ensureTokens } from '../app/token.ts';
import { version } from '../kernel/version.ts';

export const up: Command = {
  options: { host: { type: 'string' }, port: { type: 'string' } },
  usage: 'sekisho up [--host 127.0.0.1] [--port 9696]',
  examples: ['sekisho up', 'sekisho up --port 9700 --db postgres://sekisho@db.internal/sekisho'],
  async run({ flags, json }) {
    const config = await configure(flags, withoutOwnAgent(surroundings()));
    const app = createApp(config);
    const context = await app.context({ role: 'system', authenticated: true });
    const files = await ensureTokens(context, config.user);
    const others = new Map<string, Promise<App | undefined>>();
    // A token opens other folders, but only a person's word makes their configuration count: it names programs to start
    // and reads our environment. A folder that nobody listed under http.projects is served with the defaults.
    const otherProject = async (root: string) => {
      const around = withoutOwnAgent(surroundings());
      const listed = config.http.projects.includes(root);
      const { SEKISHO_PROJECT_KEY: _key, SEKISHO_PROCESSES: _processes, ...env } = around.env;
      return configure({ ...flags, project: root, db: config.db }, { ...around, env, plain: !listed });
    };
    const appFor = async (project: string | undefined): Promise<App | undefined> => {
      if (project === undefined || resolve(project) === config.project.root) return app;
      const root = resolve(project);
      if (!existsSync(join(root, '.sekisho'))) return undefined;
      const known = others.get(root) ?? otherProject(root).then(createApp);
      others.set(root, known);
      // A configuration that was broken once may be corrected by now.
      known.catch(() => others.delete(root));
      return known;
    };
    const host: EndpointHost = {
      async contextFor({ query, principal }) {
        const there = await appFor(query.get('project') ?? undefined);
        if (there === undefined || principal === undefined) return undefined;
        return there.context({ role: principal.role, identity: principal.identity, authenticated: true });
      },
      systemContext: async (project) => (await appFor(project))?.context({ role: 'system', authenticated: true }),
    };
    const daemon = await serveHttp({
      version,
      ...config.http,
      log: createLog(
        config.logLevel,
        (line) => process.stderr.write(line),
        () => new Date(),
      ),
      authenticate: tokenReader(context.store, () => context.now()),
      endpoints: [hookEndpoint(appFor), ...(await fold(modules, (one) => one.endpoints, host))],
      sockets: await fold(modules, (one) => one.sockets, host),
      appFor,
    });
    process.once('exit', await announceDaemon(config, daemon.url));
    await app.announce('daemon');
    process.stdout.write(
      json
        ? `${JSON.stringify({ url: daemon.url, mcp: `${daemon.url}/mcp`, tokens: files, db: context.store.location })}\n`
        : greeting(daemon.url, files, context.store.location),
    );
    const leaveFleet = keepFleet(context, config.environment);
    let stopping = false;
    const stop = () => {
      if (stopping) return;
      stopping = true;
      leaveFleet();
      const closing = [daemon.close(), app.close(), ...[...others.values()].map(async (one) => (await one)?.close())];
      void Promise.allSettled(closing).then(() => process.exit(0));
      setTimeout(() => process.exit(0), 3000).unref();
    };
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);
    return undefined;
  },
};

/** What every module adds to the daemon, of one kind. */
async function fold<T>(
  list: readonly Module[],
  kind: (one: Module) => (() => Promise<(host: EndpointHost) => readonly T[]>) | undefined,
  host: EndpointHost,
): Promise<readonly T[]> {
  const makers = await Promise.all(list.flatMap((one) => kind(one)?.() ?? []));
  return makers.flatMap((make) => make(host));
}

function greeting(url: string, files: { agent: string; human: string }, db: string): string {
  const client = {
    mcpServers: {
      sekisho: { type: 'http', url: `${url}/mcp`, headers: { Authorization: 'Bearer ${SEKISHO_AGENT_TOKEN}' } },
    },
  };
  return [
    `${style.bold('関所 Sekisho')} ${version} is listening on ${style.cyan(url)}`,
    '',
    `  database      ${db}`,
    `  agent token   ${files.agent}`,
    `  person token  ${files.human}`,
    '',
    'Client configuration (.mcp.json):',
    '',
    JSON.stringify(client, null, 2),
    '',
    `  export SEKISHO_AGENT_TOKEN="$(cat '${files.agent}')"`,
    '',
    'Or over stdio, without the daemon:',
    '',
    JSON.stringify({ mcpServers: { sekisho: { command: ownCommand(surroundings().env), args: ['mcp'] } } }, null, 2),
    '',
    style.dim('Press Ctrl-C to stop.'),
    '',
  ].join('\n');
}
