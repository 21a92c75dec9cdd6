import type { Context } from '../../kernel/context.ts';
import type { Socket, SocketEndpoint } from '../../kernel/endpoint.ts';
import { agentLog } from './agent-log.ts';
import { readAgent } from '../agent-rows.ts';
import { followFleet, readSnapshot } from './live.ts';

const tailMs = 250;
const tailLines = 500;

/**
 * Serves `/ws`: a snapshot, then every change; with `?cursor=` only the changes since then. A client requests an
 * agent's output with `{"type":"tail","agentId":"…"}` and ends it with `{"type":"untail","agentId":"…"}`. `?project=`
 * works as everywhere.
 */
export function fleetSocket(contextOf: (project: string | undefined) => Promise<Context | undefined>): SocketEndpoint {
  return {
    path: '/ws',
    open(socket, { query, principal }) {
      if (principal?.toolsets?.includes('fleet') === false) return socket.close();
      const closed = new AbortController();
      socket.onClose(() => closed.abort());
      const tails = new Map<string, AbortController>();
      const given = query.get('cursor');
      contextOf(query.get('project') ?? undefined)
        .then((context) => {
          if (context === undefined) return socket.close();
          socket.onMessage((text) => {
            const asked = request(text);
            if (asked === undefined) return;
            tails.get(asked.agentId)?.abort();
            if (asked.type === 'untail') return;
            const stop = new AbortController();
            tails.set(asked.agentId, stop);
            const signal = AbortSignal.any([stop.signal, closed.signal]);
            tail(context, socket, asked.agentId, asked.cursor, signal).catch(() => socket.close());
          });
          return stream(context, socket, given === null ? undefined : Number(given), closed.signal);
        })
        .catch(() => socket.close());
      return undefined;
    },
  };
}

function request(text: string): { type: 'tail' | 'untail'; agentId: string; cursor: number } | undefined {
  try {
    const { type, agentId, cursor } = JSON.parse(text) as Record<string, unknown>;
    if ((type !== 'tail' && type !== 'untail') || typeof agentId !== 'string') return undefined;
    return { type, agentId, cursor: typeof cursor === 'number' ? cursor : 0 };
  } catch {
    return undefined; // Not a message of this protocol.
  }
}

async function stream(
  context: Context,
  socket: Socket,
  cursor: number | undefined,
  signal: AbortSignal,
): Promise<void> {
  let from = cursor;
  if (from === undefined || !Number.isInteger(from) || from < 0) {
    const { cursor: head, snapshot } = await readSnapshot(context);
    from = head;
    send(socket, { type: 'snapshot', cursor: head, timestamp: context.now().toISOString(), data: snapshot });
  }
  await followFleet(context, from, signal, (event) => send(socket, event));
}

async function tail(
  context: Context,
  socket: Socket,
  agentId: string,
  cursor: number,
  signal: AbortSignal,
): Promise<void> {
  let from = cursor;
  while (!signal.aborted) {
    const row = await readAgent(context, agentId);
    if (row === undefined || row['project'] !== context.project.key) return;
    const page = agentLog(context, row, from, tailLines);
    from = page.next;
    const ended = !page.live && !page.more;
    if (page.lines.length > 0 || ended)
      send(socket, { type: 'agent:log', data: { agentId, lines: page.lines, cursor: from, ended } });
    if (ended) return;
    if (!page.more) await new Promise((resolve) => setTimeout(resolve, tailMs));
  }
}

function send(socket: Socket, message: object): void {
  socket.send(JSON.stringify(message));
}
