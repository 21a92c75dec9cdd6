import { setTimeout as sleep } from 'node:timers/promises';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { changesOf, changesOfRelay, gather, notifyOf } from '../mcp/changes.ts';
import type { Served, Session } from '../mcp/session.ts';
import { createSession } from '../mcp/mcp.ts';
import type { Greeted } from './greeting.ts';
import { takePlainRequests } from './lean.ts';

export interface StdioOptions extends Greeted {
  readonly version: string;
  /** Loads and opens everything; called at the first request that needs it. */
  readonly load: () => Promise<Served>;
  readonly onError: (error: Error) => void;
}

/** A store that was away may come back. */
const watchAgainMs = 5000;

/** One client on stdin and stdout, in whichever protocol era it opens. Returns how to stop. */
export function serveOverStdio(options: StdioOptions): () => Promise<void> {
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
  const watchAfter = async (ms: number): Promise<void> => {
    await sleep(ms, undefined, { ref: false });
    try {
      await watch();
    } catch (error) {
      watching = false;
      options.onError(error as Error);
      void watchAfter(watchAgainMs);
    }
  };
  // A probe makes a session too; the one that `initialize` made is the last.
  const legacy = () => sessions.findLast((one) => !one.modern)?.session;
  const input = takePlainRequests(options.input, process.stdout, legacy);
  const handle = serveStdio(
    ({ era }) => {
      const session = createSession(options.version, options.load);
      sessions.push({ session, modern: era === 'modern' });
      // After the handshake, not before: opening the store must not delay `initialize`.
      void watchAfter(20);
      return session.server;
    },
    { onerror: options.onError, transport: new StdioServerTransport(input, options.output) },
  );
  return () => handle.close();
}
