import { Agent, type IncomingMessage, request } from 'node:http';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { messageOf } from '../../base/failure.ts';
import { headerValue } from '../../protocol/header-value.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import { claimsModern, metaKey } from '../mcp/era.ts';

interface BridgeOptions {
  readonly socketPath: string;
  readonly path: string;
  readonly input: Readable;
  readonly output: Writable;
}

const daemonGone = -32000;

/** Forwards a client's lines to the daemon and its answers back. Resolves when every answer is written. */
export async function bridgeStdio({ socketPath, path, input, output }: BridgeOptions): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  let session: string | undefined;
  let version: string | undefined;
  const write = (text: string) => output.write(`${text.replaceAll('\n', ' ')}\n`);
  const options = (method: string, own: Readonly<Record<string, string>> = {}) => ({
    socketPath,
    path,
    agent,
    method,
    headers: {
      Host: 'localhost',
      Accept: 'application/json, text/event-stream',
      'Content-Type': 'application/json',
      ...(session !== undefined && { 'Mcp-Session-Id': session }),
      ...(version !== undefined && { 'MCP-Protocol-Version': version }),
      ...own,
    },
  });

  const send = async (line: string, message: Readonly<Record<string, unknown>>): Promise<void> => {
    const fail = (why: string) => {
      if (message['id'] === undefined || message['method'] === undefined) return;
      const error = { code: daemonGone, message: `Sekisho's daemon gave no answer (${why}).` };
      write(JSON.stringify({ jsonrpc: '2.0', id: message['id'], error }));
    };
    try {
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        request(options('POST', standardHeaders(message)), resolve)
          .on('error', reject)
          .end(line);
      });
      const given = response.headers['mcp-session-id'];
      if (typeof given === 'string') session = given;
      const tell = (text: string) => {
        if (message['method'] === 'initialize') version ??= versionIn(text);
        write(text);
      };
      if (isStream(response)) return await readEvents(response, tell);
      const body = await readBody(response);
      if ((response.statusCode ?? 500) >= 300 && !answers(body, message))
        return fail(`HTTP ${response.statusCode} ${body.slice(0, 200)}`);
      if (body !== '') tell(body);
    } catch (error) {
      fail(messageOf(error));
    }
  };

  /** Opens the stream of the daemon's own messages. If it ends, only the next session opens one again. */
  const listen = () => {
    const stream = request(options('GET'), (response) => {
      if (response.statusCode === 200 && isStream(response)) void readEvents(response, write).catch(() => undefined);
      else response.resume();
    });
    stream.on('socket', (socket) => socket.unref());
    stream.on('error', () => undefined); // The next call reports that the daemon is gone.
    stream.end();
  };

  const pending = new Set<Promise<void>>();
  const track = (work: Promise<void>) => {
    pending.add(work);
    void work.finally(() => pending.delete(work));
    return work;
  };
  for await (const line of createInterface({ input })) {
    const message = parse(line);
    if (message === undefined) continue;
    const sent = track(send(line, message));
    // The handshake is sequential, everything else concurrent.
    if (message['method'] === 'initialize') await sent;
    if (message['method'] === 'notifications/initialized') {
      await sent;
      listen();
    }
  }
  await Promise.all(pending);
  // The session belongs to this client only.
  if (session !== undefined)
    await new Promise<void>((done) => {
      const end = request(options('DELETE'), (response) => response.resume().once('close', done));
      end.once('error', () => done()); // The daemon has ended already.
      end.end();
    });
  agent.destroy();
}

/** The headers that a 2026-era request needs over HTTP; they repeat parts of its body. */
function standardHeaders({ method, params }: JsonObject): Readonly<Record<string, string>> {
  if (!isJsonObject(params) || !claimsModern({ params })) return {};
  const meta = params['_meta'] as JsonObject;
  const name = [params['name'], params['uri'], params['taskId']].find((one): one is string => typeof one === 'string');
  return {
    'MCP-Protocol-Version': headerValue(String(meta[metaKey.protocolVersion])),
    'Mcp-Method': headerValue(String(method)),
    ...(name !== undefined && { 'Mcp-Name': headerValue(name) }),
  };
}

/** Whether the body is a JSON-RPC error for this request. Then it is passed on, whatever the HTTP status. */
function answers(body: string, { id }: JsonObject): boolean {
  const message = parse(body);
  return id !== undefined && message?.['id'] === id && isJsonObject(message['error']);
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined; // The line is not JSON. No server answers it.
  }
}

function isStream({ headers }: IncomingMessage): boolean {
  return headers['content-type']?.startsWith('text/event-stream') === true;
}

async function readBody(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of response) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}

async function readEvents(response: IncomingMessage, write: (text: string) => void): Promise<void> {
  let data: string[] = [];
  for await (const line of createInterface({ input: response })) {
    if (line.startsWith('data:')) data.push(line.slice(5).trimStart());
    if (line !== '') continue;
    if (data.length > 0 && data.join('') !== '') write(data.join('\n'));
    data = [];
  }
}

function versionIn(body: string): string | undefined {
  const result = parse(body)?.['result'];
  const found = isJsonObject(result) ? result['protocolVersion'] : undefined;
  return typeof found === 'string' ? found : undefined;
}
