import { PassThrough } from 'node:stream';
import type { Readable, Writable } from 'node:stream';
import type { ServerContext } from '@modelcontextprotocol/server';
import { isPlainRequest, messageOf } from '../mcp/plain.ts';
import type { PlainRequest } from '../mcp/plain.ts';
import type { Session } from '../mcp/session.ts';
import { cancelRunning } from '../mcp/session.ts';
import { answerRequest } from '../mcp/mcp.ts';

const maxLineLength = 10 * 1024 * 1024;

/**
 * Takes plain requests of a 2025-era client out of the stream and answers them; everything else goes on to the SDK, byte
 * by byte as it came. `sessionOf` names the session once the SDK has made one for `initialize`.
 */
export function takePlainRequests(input: Readable, output: Writable, sessionOf: () => Session | undefined): Readable {
  const rest = new PassThrough();
  let begun: string[] = [];
  let size = 0;
  // Until the client says that it is initialised, the SDK may still settle on the other era.
  let open = false;
  const pass = (line: string) => rest.write(`${line}\n`);
  const take = (line: string) => {
    const session = sessionOf();
    if (session === undefined) return pass(line);
    const message = parse(line);
    if (open && isPlainRequest(message) && !session.running.has(message.id))
      return void answer(session, message, output);
    if ((message as { method?: unknown } | undefined)?.method === 'notifications/initialized') open = true;
    cancelRunning(session, message);
    return pass(line);
  };
  input.on('data', (chunk: string) => {
    const [first = '', ...more] = chunk.split('\n');
    begun.push(first);
    size += first.length;
    // As the SDK does: a client that never ends its line must not fill the memory.
    if (size > maxLineLength)
      return void rest.destroy(new Error(`A message is longer than ${maxLineLength} characters`));
    for (const next of more) {
      take(begun.join(''));
      begun = [next];
      size = next.length;
    }
    return undefined;
  });
  input.setEncoding('utf8');
  input.once('end', () => {
    for (const one of sessionOf()?.running.values() ?? []) one.cancel('the client has gone');
    rest.end();
  });
  input.once('error', (error) => rest.destroy(error));
  return rest;
}

async function answer(session: Session, request: PlainRequest, output: Writable): Promise<void> {
  const { id, method, params } = request;
  const stop = new AbortController();
  const write = (message: object) => {
    output.write(`${JSON.stringify(message)}\n`);
  };
  const ctx = {
    sessionId: undefined,
    mcpReq: {
      id,
      method,
      _meta: params?.['_meta'],
      signal: stop.signal,
      requestState: () => undefined,
      notify: async (notification: object) => write({ jsonrpc: '2.0', ...notification }),
      // On a pipe a question belongs to no particular request.
      send: (...args: Parameters<Session['server']['request']>) => session.server.request(...args),
    },
  } as unknown as ServerContext;
  const result = answerRequest(session, request, ctx);
  session.running.set(id, { cancel: (reason) => stop.abort(reason), join: () => result });
  const message = await messageOf(id, result);
  session.running.delete(id);
  // A request that its client cancelled gets no answer.
  if (!stop.signal.aborted) write(message);
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined; // The SDK says what is wrong with it.
  }
}
