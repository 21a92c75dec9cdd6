import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { changesOf, changesOfRelay, gather, notifyOf } from './mcp-changes.ts';
import type { Served, Session } from './mcp-session.ts';
import { createSession } from './mcp.ts';
import { takePlainRequests } from './stdio-lean.ts';

export interface StdioOptions {
  readonly version: string;
  /** Loads and opens everything; called at the first request that needs it. */
  readonly load: () => Promise<Served>;
  readonly onError: (error: Error) => void;
  /** Called once when the client is gone. */
  readonly onEnd: () => void;
}

const parentCheckMs = 1000;
/** A store that was away may come back. */
const watchAgainMs = 5000;

/** One client on stdin and stdout, in whichever protocol era it opens. */
export function serveOverStdio(options: StdioOptions): void {
  const sessions: { readonly session: Session; readonly modern: boolean }[] = [];
  let watching = false;
  const watch = async () => {
    if (watching) return;
    watching = true;
    const { app } = await options.load();
    const catalog = await app.catalog();
    const tell = gather((changes) => {
      for (const { session, modern } of sessions) notifyOf(session, changes, modern).catch(options.onError);
    });
    app.relay?.watch((change) => tell(changesOfRelay(change)));
    await app.watch((entry) => tell(changesOf(catalog, entry)));
  };
  const failed = (error: Error) => {
    watching = false;
    options.onError(error);
    setTimeout(() => void watch().catch(failed), watchAgainMs).unref();
  };
  // A probe makes a session too; the one that `initialize` made is the last.
  const legacy = () => sessions.findLast((one) => !one.modern)?.session;
  const input = takePlainRequests(process.stdin, process.stdout, legacy);
  const handle = serveStdio(
    ({ era }) => {
      const session = createSession(options.version, options.load);
      sessions.push({ session, modern: era === 'modern' });
      // After the handshake, not before: opening the store must not delay `initialize`.
      setTimeout(() => void watch().catch(failed), 20);
      return session.server;
    },
    { onerror: options.onError, transport: new StdioServerTransport(input, process.stdout) },
  );
  let ended = false;
  const end = () => {
    if (ended) return;
    ended = true;
    handle.close().catch(options.onError).finally(options.onEnd);
  };
  process.stdin.once('end', end);
  process.stdin.once('close', end);
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, end);
  const parent = process.ppid;
  // A client that was killed does not always close our stdin: its other children may hold the pipe.
  setInterval(() => {
    if (process.ppid !== parent) end();
  }, parentCheckMs).unref();
}
