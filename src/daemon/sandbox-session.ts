import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Context } from '../kernel/context.ts';
import type { SocketEndpoint } from '../kernel/endpoint.ts';
import { type Author, entry, journalQuery } from '../kernel/store/journal.ts';
import { parsed } from '../kernel/store/row.ts';
import type { Entry } from '../kernel/store/store.ts';
import { sessionSocket } from '../sandbox/place.ts';
import type { SandboxSocketSession, SessionOptions } from '../surface/http/session-socket.ts';

/** The daemon's answer to `sekisho run`. */
export interface OpenedSession {
  /** A folder that only its owner can enter; it is `/run/sekisho` in the sandbox. */
  readonly folder: string;
  readonly hookToken: string;
}

/** How `sekisho run` started an agent, as it reports itself. This is a record, not proof. */
export interface SessionStart {
  readonly client: string | undefined;
  /** 3: in the sandbox. 2: outside, or in a sandbox that can reach the store. */
  readonly ring: 2 | 3;
  readonly sandbox: string | undefined;
  /** The reason why the ring is 2 in a sandbox. */
  readonly open: string | undefined;
  readonly allow: readonly string[];
}

export interface SessionHost {
  open(options: SessionOptions): Promise<SandboxSocketSession>;
  /** Admits an agent to a project and journals how it was started. Returns the tree; undefined if there is no such project. */
  admit(project: string | undefined, identity: string, start: SessionStart): Promise<string | undefined>;
}

/** The kind of entry. `session.started` is taken: it is for agents that authenticate in the work module. */
const clientStarted = 'client.started';

/** The identity of a session, `session:…`, from its unique folder. */
export function sessionIdentity(folder: string): string {
  return basename(folder).replace('sekisho-', '').replace('-', ':');
}

export function sessionEntry(context: Author, identity: string, start: SessionStart): Entry {
  const { client = null, sandbox = null, open = null, ring, allow } = start;
  return entry(context, identity, clientStarted, { client, ring, sandbox, open, allow });
}

/** Reads from the journal how the caller is sandboxed, as a session or as an agent of the fleet. */
export async function readSandbox(context: Context) {
  const { store, actor, environment } = context;
  const subjects = [actor.id, environment['SEKISHO_AGENT_ID']].filter((one) => one !== undefined);
  const kinds = [clientStarted, 'agent.confined'];
  const [[row] = []] = await store.read([journalQuery({ subjects, kinds, limit: 1 })]);
  if (row === undefined) return undefined;
  const { sandbox, ring } = parsed(row, 'data') as { readonly sandbox: string | null; readonly ring: number };
  return sandbox === null ? undefined : { sandbox, ring };
}

export function sessionQuery({ client, ring, sandbox, open, allow }: SessionStart): Readonly<Record<string, string>> {
  return {
    ring: String(ring),
    allow: JSON.stringify(allow),
    ...(client !== undefined && { client }),
    ...(sandbox !== undefined && { sandbox }),
    ...(open !== undefined && { open }),
  };
}

function readStart(query: URLSearchParams): SessionStart {
  const word = (name: string) => query.get(name) ?? undefined;
  const allow: unknown = JSON.parse(query.get('allow') ?? '[]');
  return {
    client: word('client'),
    ring: query.get('ring') === '3' ? 3 : 2,
    sandbox: word('sandbox'),
    open: word('open'),
    allow: Array.isArray(allow) ? allow.map(String) : [],
  };
}

/** The WebSocket endpoint `/session`. A session ends with its connection, so when the holder or the daemon dies. */
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
        const started = readStart(query);
        // In /tmp, because socket paths must be short and sandboxes have a private /tmp, so they cannot see it.
        const folder = mkdtempSync(join(tmpdir(), 'sekisho-session-'));
        const identity = sessionIdentity(folder);
        end = async () => rmSync(folder, { recursive: true, force: true });
        const project = await host.admit(query.get('project') ?? undefined, identity, started);
        if (project === undefined) return socket.close();
        const path = join(folder, sessionSocket);
        const principal = { role: 'agent', identity, person: false };
        const session = await host.open({ path, project, principal, client: started.client });
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
