import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostCallers } from './callers.ts';
import { dataFolder } from '../config/data-folder.ts';
import type { SandboxSession, SandboxedAgent, OpenSandboxSession } from '../fleet/host/sandbox-session.ts';
import { refusal } from '../kernel/problem.ts';
import { packagePath } from '../base/package.ts';
import { version } from '../base/version.ts';
import { sessionFolder, sessionSocket } from '../sandbox/place.ts';
import { confineFor, isConfined, markSandboxed } from '../sandbox/confine.ts';

/**
 * Opens the session of a sandboxed agent, which the agent's host serves itself. The host is outside, has the store and the
 * agent's token, run and secrets, and ends with the agent. A daemon would have to be given all of that, may have another
 * database, and could die before the agent.
 */
export const openBox: OpenSandboxSession = async (inmate) => {
  const place = { ...inmate.place, data: dataFolder(inmate.server) };
  if (!isConfined(place, inmate.wish)) return undefined;
  markSandboxed(place);
  const served = await serveAgent(inmate);
  return { ...served, confine: confineFor(place, inmate.wish, inmate.watch) };
};

/** Serves the agent over a socket, in place of its own `sekisho mcp`. */
async function serveAgent({ tree, client, server }: SandboxedAgent): Promise<Omit<SandboxSession, 'confine'>> {
  // These modules are expensive to load, and most agents are not sandboxed.
  const [{ configure }, { createApp }, { hookEndpoint }, { createLog }, { serveHttp }, { findStoreReach }] =
    await Promise.all([
      import('./configure.ts'),
      import('./application.ts'),
      import('../hook/endpoint.ts'),
      import('../surface/log.ts'),
      import('../surface/http/serve.ts'),
      import('../sandbox/store-reach.ts'),
    ]);
  const config = await configure({}, { env: server, cwd: tree, terminal: false });
  const app = createApp(config, () => hostCallers(server));
  const principal = await app.principal();
  if (principal === undefined) throw refusal.token();
  await app.announce('mcp');
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-session-'));
  const listening = await serveHttp({
    version,
    host: '127.0.0.1',
    port: 0,
    log: createLog(
      config.logLevel,
      (line) => process.stderr.write(line),
      () => new Date(),
    ),
    lang: config.lang,
    maxMessageBytes: app.maxMessageBytes,
    // No token is valid here: this session uses its socket, and its own token for hooks.
    authenticate: () => Promise.resolve(undefined),
    endpoints: [hookEndpoint(() => Promise.resolve(app))],
    sockets: [],
    appFor: () => Promise.resolve(app),
  });
  const session = await listening.openSession({ path: join(folder, sessionSocket), project: tree, principal, client });
  return {
    folder,
    ring: findStoreReach(config, server) === undefined ? 3 : 2,
    session: {
      folder: process.platform === 'linux' ? sessionFolder : folder,
      hookUrl: `${listening.url}/hook/${client}`,
      hookToken: session.hookToken,
      // Full paths, because some clients start servers with an almost empty environment.
      mcp: { command: process.execPath, args: [packagePath('bin', 'sekisho'), 'mcp'] },
    },
    async close() {
      await listening.close();
      await app.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
