import { WebSocket } from 'ws';
import { type OpenedSession, type SessionStart, sessionQuery } from './sandbox-session.ts';

/** An open session, for the process that holds it. */
export interface HeldSession extends OpenedSession {
  /** Aborted when the connection to the daemon is lost. */
  readonly lost: AbortSignal;
  /** Ends the session: the daemon closes the agent's socket. */
  end(): void;
}

/** Opens a session at the daemon and holds it. */
export function holdSession(url: string, token: string, project: string, start: SessionStart): Promise<HeldSession> {
  const address = new URL('/session', url.replace(/^http/, 'ws'));
  address.searchParams.set('project', project);
  for (const [name, value] of Object.entries(sessionQuery(start))) address.searchParams.set(name, value);
  const lost = new AbortController();
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(address, { headers: { Authorization: `Bearer ${token}` } });
    socket.once('message', (data: Buffer) => {
      const opened = JSON.parse(data.toString('utf8')) as OpenedSession;
      resolve({ ...opened, lost: lost.signal, end: () => socket.terminate() });
    });
    socket.once('close', () => {
      lost.abort();
      reject(new Error('the daemon opened no session'));
    });
    socket.once('error', reject);
  });
}
