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

/** What `sekisho run` is told. */
export interface OpenedSession {
  /** Its owner's alone; becomes `/run/sekisho` in the sandbox. */
  readonly folder: string;
  readonly hookToken: string;
}

/** How `sekisho run` started an agent. It says so itself: a record, no proof. */
export interface SessionStart {
  readonly client: string | undefined;
  /** 3: in the sandbox. 2: outside, or in one that does not keep the store out of reach. */
  readonly ring: 2 | 3;
  readonly sandbox: string | undefined;
  /** Why it is not 3 in a sandbox. */
  readonly open: string | undefined;
  readonly allow: readonly string[];
}

export interface SessionHost {
  open(options: SessionOptions): Promise<SandboxSocketSession>;
  /** Lets a sandboxed agent work in a project, and journals how. Its tree; undefined where there is no such project. */
  admit(project: string | undefined, identity: string, start: SessionStart): Promise<string | undefined>;
}

/** Not `session.started`, which the journal has for an agent that authenticates in a project of tasks. */
const clientStarted = 'client.started';

/** `session:…`, by the folder that only this session has. */
export function sessionIdentity(folder: string): string {
  return basename(folder).replace('sekisho-', '').replace('-', ':');
}

export function sessionEntry(context: Author, identity: string, start: SessionStart): Entry {
  const { client = null, sandbox = null, open = null, ring, allow } = start;
  return entry(context, identity, clientStarted, { client, ring, sandbox, open, allow });
}

/** As the journal has it of the session, or of the fleet's agent, whose call this is. */
export async function readSandbox({
  store,
  actor,
  environment,
}: Context): Promise<{ readonly sandbox: string; readonly ring: number } | undefined> {
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

/**
 * `/session?project=…&client=…&ring=…`: a session lives as long as the connection. Whoever holds it ends the agent when the daemon
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
        const started = readStart(query);
        // Short, since the path of a socket is; and in no sandbox's sight, since /tmp is private there.
        const folder = mkdtempSync(join(tmpdir(), 'sekisho-session-'));
        const identity = sessionIdentity(folder);
        end = async () => rmSync(folder, { recursive: true, force: true });
        const project = await host.admit(query.get('project') ?? undefined, identity, started);
        if (project === undefined) return socket.close();
        const path = join(folder, sessionSocket);
        const { client } = started;
        const session = await host.open({
          path,
          project,
          principal: { role: 'agent', identity, person: false },
          client,
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
