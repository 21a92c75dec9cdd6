import type { Writable } from 'node:stream';
import type { JSONRPCMessage, Server, Transport } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { writeLine } from '../../protocol/lines.ts';
import type { JsonObject } from '../../base/json-object.ts';
import type { Changes } from '../mcp/changes.ts';
import { createModernServer, passSubscriptions } from '../mcp/modern.ts';
import type { Served } from '../mcp/session.ts';

export interface ModernStdio {
  take(message: JsonObject): void;
  tell(changes: Changes): void;
  /** Resolves when every request has its answer. Subscriptions do not count: they have none. */
  answered(): Promise<void>;
  close(): Promise<void>;
}

/** Serves a 2026-era client over stdio, with the SDK. */
export function serveModern(
  output: Writable,
  version: string,
  load: () => Promise<Served>,
  onError: (error: Error) => void,
): ModernStdio {
  const servers: Server[] = [];
  const open = new Set<unknown>();
  let idle = () => {};
  const settle = (id: unknown) => {
    open.delete(id);
    if (open.size === 0) idle();
  };
  const transport = transportTo(output, settle);
  const handle = serveStdio(
    async () => {
      const server = await createModernServer(version, load);
      servers.push(server);
      return server;
    },
    { legacy: 'reject', onerror: onError, transport },
  );
  return {
    take: (message) => {
      const { id, method, params } = message;
      const awaitsAnswer = id !== undefined && method !== undefined && method !== 'subscriptions/listen';
      if (awaitsAnswer) open.add(id);
      // A request that its client cancelled gets no answer.
      if (method === 'notifications/cancelled') settle((params as JsonObject | undefined)?.['requestId']);
      if (method === 'subscriptions/listen') void passSubscriptions(load, params).catch(onError);
      transport.onmessage?.(message as JSONRPCMessage);
    },
    tell: (changes) => {
      for (const server of servers) notifyOf(server, changes).catch(onError);
    },
    answered: () => (open.size === 0 ? Promise.resolve() : new Promise((done) => (idle = done))),
    close: () => handle.close(),
  };
}

/** A transport for messages that are parsed already. The SDK's own reads stdin itself and stops reading after 10 MiB. */
function transportTo(output: Writable, answered: (id: unknown) => void): Transport {
  const transport: Transport = {
    start: async () => undefined,
    async send(message) {
      await writeLine(output, message);
      if ('id' in message && !('method' in message)) answered(message.id);
    },
    close: async () => transport.onclose?.(),
  };
  return transport;
}

async function notifyOf(server: Server, { uris, lists }: Changes): Promise<void> {
  for (const uri of uris) await server.sendResourceUpdated({ uri });
  for (const list of lists) {
    if (list === 'tools') await server.sendToolListChanged();
    else if (list === 'prompts') await server.sendPromptListChanged();
    else await server.sendResourceListChanged();
  }
}
