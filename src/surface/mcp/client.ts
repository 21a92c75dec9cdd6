import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

export interface McpClient {
  /** Calls a tool and returns its structured answer. Throws if the tool refuses or the server is gone. */
  call(tool: string, input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

export type Server =
  | {
      readonly command: readonly [string, ...string[]];
      readonly cwd: string;
      readonly env: Readonly<Record<string, string | undefined>>;
    }
  | { readonly url: string; readonly token: string | undefined };

export async function connectMcp(name: string, version: string, server: Server): Promise<McpClient> {
  const client = new Client({ name, version });
  await client.connect(transportTo(server));
  return {
    async call(tool, input) {
      const result = await client.callTool({ name: tool, arguments: { ...input } });
      if (result.isError === true || result.structuredContent === undefined)
        throw new Error(`${tool}: ${JSON.stringify(result.content)}`);
      return result.structuredContent as Readonly<Record<string, unknown>>;
    },
    close: () => client.close(),
  };
}

function transportTo(server: Server) {
  if ('url' in server)
    return new StreamableHTTPClientTransport(new URL(server.url), {
      ...(server.token !== undefined && { requestInit: { headers: { Authorization: `Bearer ${server.token}` } } }),
    });
  const [command, ...args] = server.command;
  const env = Object.fromEntries(
    Object.entries(server.env).filter((one): one is [string, string] => one[1] !== undefined),
  );
  return new StdioClientTransport({ command, args, cwd: server.cwd, env, stderr: 'inherit' });
}
