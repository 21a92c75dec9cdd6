import { PassThrough } from 'node:stream';
import type { Writable } from 'node:stream';
import type { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Changes } from '../mcp/changes.ts';
import { createModernServer } from '../mcp/modern.ts';
import type { Served } from '../mcp/session.ts';

export interface ModernStdio {
  take(line: string): void;
  tell(changes: Changes): void;
  close(): Promise<void>;
}

/** A client of the 2026 era on the pipe, by the SDK. */
export function serveModern(
  output: Writable,
  version: string,
  load: () => Promise<Served>,
  onError: (error: Error) => void,
): ModernStdio {
  const input = new PassThrough();
  const servers: Server[] = [];
  const handle = serveStdio(
    () => {
      const server = createModernServer(version, load);
      servers.push(server);
      return server;
    },
    { legacy: 'reject', onerror: onError, transport: new StdioServerTransport(input, output) },
  );
  return {
    take: (line) => void input.write(`${line}\n`),
    tell: (changes) => {
      for (const server of servers) notifyOf(server, changes).catch(onError);
    },
    close: () => handle.close(),
  };
}

async function notifyOf(server: Server, { uris, lists }: Changes): Promise<void> {
  for (const uri of uris) await server.sendResourceUpdated({ uri });
  for (const list of lists) {
    if (list === 'tools') await server.sendToolListChanged();
    else if (list === 'prompts') await server.sendPromptListChanged();
    else await server.sendResourceListChanged();
  }
}
