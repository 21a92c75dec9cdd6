import { randomUUID } from 'node:crypto';
import { once } from '../base/once.ts';
import type { App } from '../app/application.ts';
import { socketInside } from '../sandbox/socket.ts';
import { readHookSurroundings } from '../config/load.ts';
import { type Command, exitCode } from './frame/command.ts';
import { isProblem, problem } from '../kernel/problem.ts';
import { unknownToolsets } from '../kernel/toolset.ts';
import type { Served } from '../surface/mcp/session.ts';
import { whenClientGone } from '../surface/stdio/client.ts';
import { serveOverStdio } from '../surface/stdio/serve.ts';
import { version } from '../base/version.ts';
import { proxyOptions, withProxy } from './frame/proxy-flags.ts';
import { messageOf } from '../base/failure.ts';

/** The delay before roles are checked, so that the client's first requests go first. */
const checkAfterMs = 1000;
/** The time that open calls have after the client stopped writing; most clients wait no longer for an answer. */
const lastAnswersMs = 60_000;

export const mcp: Command = {
  options: proxyOptions,
  usage:
    'sekisho mcp [--toolsets gate,work] [--upstream URL [--name NAME] [--skill NAME] [--tools a,b] [--init-script FILE] [--init-tool TOOL] [--no-init]]',
  examples: [
    'claude mcp add sekisho -- sekisho mcp',
    'sekisho mcp --toolsets gate --run-id run-…',
    'sekisho mcp --toolsets upstream --upstream http://127.0.0.1:4401/mcp --skill penpot --init-script penpot-init.js',
  ],
  async run({ flags: given, options }) {
    const flags = withProxy(given, options);
    // A wrong flag stays wrong; the client's log must say so at once.
    const named = flags.toolsets === undefined || flags.toolsets === 'all' ? [] : flags.toolsets.split(',');
    const reason = unknownToolsets(named.map((one) => one.trim()));
    if (reason !== undefined) throw problem.BAD_CONFIGURATION({ file: '--toolsets', reason });
    const socketPath = socketInside(readHookSurroundings().env);
    if (socketPath !== undefined) return bridge(socketPath, flags.toolsets);
    // A configuration that cannot be used is read again at the next call, because it may be correct by then.
    const load = once(async (): Promise<Served> => {
      const [{ configure }, { createApp }, { announceBeforeFirstUse }] = await Promise.all([
        import('../app/configure.ts'),
        import('../app/application.ts'),
        import('../app/announce-start.ts'),
      ]);
      const config = await configure(flags);
      const made = createApp(config);
      const app = announceBeforeFirstUse(made, () => made.announce('mcp'), log);
      // An agent's own server skips the check; the process that started the agent has done it.
      if (config.token === undefined) setTimeout(() => void checkRoles(app).catch(log), checkAfterMs).unref();
      // An agent's own server offers only the toolsets of its role, whatever its environment says.
      // An invalid token is reported at each call, in the format of its toolset.
      const allowed = (await app.principal().catch(asNobody))?.toolsets;
      const toolsets = config.toolsets.filter((one) => allowed?.includes(one) ?? true);
      return { app, connection: { toolsets, call: { agentOnly: true }, pipe: randomUUID() } };
    });
    let ended = false;
    const log = (error: unknown) => {
      // Calls that were open when the client left fail; that is no error.
      if (ended) return;
      process.stderr.write(
        `${JSON.stringify({
          timestamp: new Date().toISOString(),
          level: 'ERROR',
          message: isProblem(error) ? `${error.code} ${JSON.stringify(error.params)}` : messageOf(error),
        })}\n`,
      );
    };
    const server = serveOverStdio({ version, input: process.stdin, output: process.stdout, load, onError: log });
    const leave = () => {
      if (ended) return;
      ended = true;
      const close = async () => {
        await server.stop();
        await (await load.begun())?.app.close();
      };
      close()
        .catch(log)
        .finally(() => process.exit(0));
      setTimeout(() => process.exit(0), 2000).unref();
    };
    const silent = () => {
      void server.answered().then(leave, leave);
      setTimeout(leave, lastAnswersMs);
    };
    whenClientGone({ silent, gone: leave });
    return undefined;
  },
};

/** Connects a client in a sandbox to the daemon outside, which is its server. */
async function bridge(socketPath: string, toolsets: string | undefined): Promise<number> {
  const { bridgeStdio } = await import('../surface/stdio/bridge.ts');
  const path = toolsets === undefined ? '/mcp' : `/mcp/${toolsets}`;
  await bridgeStdio({ socketPath, path, input: process.stdin, output: process.stdout });
  return exitCode.ok;
}

async function checkRoles(app: App): Promise<void> {
  const { checkInBackground } = await import('../fleet/index.ts');
  await checkInBackground(await app.context({ as: 'system' }), app.config.environment);
}

function asNobody(error: unknown): undefined {
  if (!isProblem(error)) throw error;
}
