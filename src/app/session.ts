import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { SocketEndpoint } from '../kernel/endpoint.ts';
import { sessionSocket } from '../machine/sandbox/place.ts';
import type { Session, SessionOptions } from '../surface/http/session-socket.ts';

/** What `sekisho run` is told. */
export interface OpenedSession {
  /** Its owner's alone; becomes `/run/sekisho` in the sandbox. */
  readonly folder: string;
  readonly hookToken: string;
}

export interface SessionHost {
  open(options: SessionOptions): Promise<Session>;
  /** Lets a sandboxed agent work in a project. Its tree; undefined where there is no such project. */
  admit(project: string | undefined): Promise<string | undefined>;
}

/**
 * `/session?project=…&client=…`: a session lives as long as the connection. Whoever holds it ends the agent when the daemon
 * dies, and the daemon closes the agent's socket when the holder dies.
 */
export function sessionEndpoint(host: SessionHost): SocketEndpoint {
  return {
    path: '/session',
    open(socket, { query }) {
      let gone = false;
      let end: () => Promise<void> = () => Promise.resolve();
      socket.onClose(() => {
        gone = true;
        void end();
      });
      const start = async () => {
        const project = await host.admit(query.get('project') ?? undefined);
        if (project === undefined) return socket.close();
        // Short, since the path of a socket is; and in no sandbox's sight, since /tmp is private there.
        const folder = mkdtempSync(join(tmpdir(), 'sekisho-session-'));
        const session = await host.open({
          path: join(folder, sessionSocket),
          project,
          principal: { role: 'agent', identity: basename(folder).replace('sekisho-', '').replace('-', ':') },
          client: query.get('client') ?? undefined,
        });
        end = async () => {
          await session.close();
          rmSync(folder, { recursive: true, force: true });
        };
        if (gone) return end();
        const opened: OpenedSession = { folder, hookToken: session.hookToken };
        return socket.send(JSON.stringify(opened));
      };
      start().catch(() => socket.close());
    },
  };
}
