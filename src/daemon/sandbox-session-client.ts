import { WebSocket } from 'ws';
import { type OpenedSession, type SessionStart, sessionQuery } from './sandbox-session.ts';

export interface HeldSession extends OpenedSession {
  readonly lost: AbortSignal;
  /** Ends the session: the daemon closes the agent's socket. */
  end(): void;
}

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
