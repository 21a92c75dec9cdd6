import { createApp } from '../../src/app/application.ts';
import { configure } from '../../src/app/configure.ts';
import { ensureAgentToken, openUserStore } from '../../src/app/user/user-store.ts';
import { readSurroundings, withoutOwnAgent } from '../../src/config/load.ts';
import { readUserToken } from '../../src/user/person.ts';
import { version } from '../../src/base/version.ts';
import { serveHttp } from '../../src/surface/http/serve.ts';
import { createLog } from '../../src/surface/log.ts';
import { createConformanceRelay } from './relay.ts';

/** The daemon as it is, with the suite's fixtures where upstreams would stand. Says where it is as `sekisho up --json` does. */
async function serve(): Promise<void> {
  const config = await configure({ port: '0' }, withoutOwnAgent(readSurroundings()));
  const app = { ...createApp(config), relay: createConformanceRelay() };
  const now = () => new Date();
  const users = await openUserStore(config);
  const tokens = { agent: await ensureAgentToken(users, config) };
  const daemon = await serveHttp({
    version,
    ...config.http,
    log: createLog(config.logLevel, (line) => process.stderr.write(line), now),
    lang: config.lang,
    maxMessageBytes: app.maxMessageBytes,
    authenticate: (token) => readUserToken(users, token, now()),
    endpoints: [],
    sockets: [],
    appFor: async () => app,
  });
  process.stdout.write(`${JSON.stringify({ mcp: `${daemon.url}/mcp`, tokens })}\n`);
  process.once('SIGTERM', () => process.exit(0));
}

serve().catch((error: unknown) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
