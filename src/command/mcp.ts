import { randomUUID } from 'node:crypto';
import { once } from '../base/once.ts';
import type { App } from '../app/application.ts';
import { socketInside } from '../sandbox/socket.ts';
import { readHookSurroundings } from '../config/load.ts';
import { type Command, exitCode } from './frame/command.ts';
import { isProblem } from '../kernel/problem.ts';
import type { Served } from '../surface/mcp/session.ts';
import { whenClientGone } from '../surface/stdio/client.ts';
import { serveOverStdio } from '../surface/stdio/serve.ts';
import { version } from '../base/version.ts';
import { proxyOptions, withProxy } from './frame/proxy-flags.ts';
import { messageOf } from '../base/failure.ts';

/** Long after the client has what it asked for first. */
const checkAfterMs = 1000;
/** As long as most clients wait for an answer. */
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
    const socketPath = socketInside(readHookSurroundings().env);
    if (socketPath !== undefined) return bridge(socketPath, flags.toolsets);
    // A configuration that cannot be used is tried again at the next call: it may have been corrected by then.
    const load = once(async (): Promise<Served> => {
      const [{ configure }, { createApp }, { announceBeforeFirstUse }] = await Promise.all([
        import('../app/configure.ts'),
        import('../app/application.ts'),
        import('../app/announce-start.ts'),
      ]);
      const config = await configure(flags);
      const made = createApp(config);
      const app = announceBeforeFirstUse(made, () => made.announce('mcp'), log);
      // Not for an agent's own server: whoever started the agent has checked.
      if (config.token === undefined) setTimeout(() => void checkRoles(app).catch(log), checkAfterMs).unref();
      // An agent's own server opens what its role allows and nothing more, whatever its environment says.
      // A token that is not valid any more is said at each call, in the words of its toolset.
      const allowed = (await app.principal().catch(asNobody))?.toolsets;
      const toolsets = config.toolsets.filter((one) => allowed?.includes(one) ?? true);
      return { app, connection: { toolsets, call: { agentOnly: true }, pipe: randomUUID() } };
    });
    let ended = false;
    const log = (error: unknown) => {
      // What was under way when the client left fails for that reason.
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

/** In a sandbox: the daemon outside is the server. */
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
