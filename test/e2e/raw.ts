import { type ChildProcess, spawn } from 'node:child_process';
import { request } from 'node:http';
import { createInterface } from 'node:readline';
import { type World, bin, node } from './world.ts';

/** The protocol without a client library: what goes over the pipe and the socket, as it is. */

export type Message = Record<string, any>;

export const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'raw', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

export function initializeParams(protocolVersion: string): object {
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'raw', version: '1.0.0' } };
}

export interface RawServer {
  readonly process: ChildProcess;
  readonly stdout: readonly string[];
  readonly stderr: readonly string[];
  /** Writes a line as it is. */
  write(line: string): void;
  request(method: string, params?: object): Promise<Message>;
  notify(method: string, params?: object): void;
  /** Ends stdin and waits until the process is gone. */
  end(): Promise<number | null>;
}

export async function rawServer(
  world: World,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Promise<RawServer> {
  await world.trusted();
  const child = spawn(node, [bin, 'mcp', ...args], { cwd: world.project, env: { ...world.env, ...env } });
  const stdout: string[] = [];
  const stderr: string[] = [];
  const waiting = new Map<number, (message: Message) => void>();
  createInterface({ input: child.stderr }).on('line', (line) => stderr.push(line));
  createInterface({ input: child.stdout }).on('line', (line) => {
    stdout.push(line);
    const message = parse(line);
    waiting.get(message?.['id'] as number)?.(message ?? {});
  });
  const closed = new Promise<number | null>((done) => child.once('close', done));
  let id = 0;
  child.stdin.on('error', () => undefined); // Tests end it while they write.
  const write = (line: string) => void child.stdin.write(`${line}\n`);
  return {
    process: child,
    stdout,
    stderr,
    write,
    request(method, params) {
      id += 1;
      const answer = new Promise<Message>((done) => waiting.set(id, done));
      write(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
      return answer;
    },
    notify: (method, params) => write(JSON.stringify({ jsonrpc: '2.0', method, params })),
    end() {
      child.stdin.end();
      return closed;
    },
  };
}

export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  /** The JSON-RPC message, whether it came as JSON or as an event. */
  readonly message: Message;
}

/** One HTTP exchange with any header, Host included (`fetch` would refuse). */
export function rawHttp(
  url: string,
  options: { method?: string; headers?: Record<string, string>; body?: unknown } = {},
): Promise<RawAnswer> {
  return new Promise((done, fail) => {
    const outgoing = request(
      url,
      {
        method: options.method ?? (options.body === undefined ? 'GET' : 'POST'),
        headers: {
          Accept: 'application/json, text/event-stream',
          'Content-Type': 'application/json',
          ...options.headers,
        },
      },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('end', () =>
          done({
            status: response.statusCode ?? 0,
            headers: response.headers,
            text,
            message: parse(text) ?? lastEvent(text),
          }),
        );
      },
    );
    outgoing.once('error', fail);
    outgoing.end(options.body === undefined ? undefined : JSON.stringify(options.body));
  });
}

function lastEvent(text: string): Message {
  const data = text.split('\n').filter((line) => line.startsWith('data: {'));
  return parse(data.at(-1)?.slice('data: '.length) ?? '') ?? {};
}

export function parse(text: string): Message | undefined {
  try {
    return JSON.parse(text) as Message;
  } catch {
    return undefined;
  }
}
