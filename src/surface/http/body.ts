import type { IncomingMessage, ServerResponse } from 'node:http';
import { ChunkedText } from '../../protocol/chunked-text.ts';

/** Reads the whole body. One over the limit is read to its end but not kept, so that the sender gets the refusal. */
export function readBody(request: IncomingMessage, limit: number): Promise<ChunkedText> {
  return new Promise((resolve, reject) => {
    const body = new ChunkedText();
    request.on('data', (chunk: Buffer) => body.add(chunk, limit));
    let whole = false;
    request.once('end', () => {
      whole = true;
      resolve(body);
    });
    request.once('error', reject);
    // `close` also follows a normal `end`; then no error is created, because its stack is expensive.
    request.once('close', () => {
      if (!whole) reject(new Error('the client has gone'));
    });
  });
}

/** Sends a text with its length, so that head and body go out in one write instead of chunks. */
export function sendText(
  response: ServerResponse,
  status: number,
  headers: Readonly<Record<string, string>>,
  text: string,
): void {
  response.writeHead(status, { ...headers, 'Content-Length': Buffer.byteLength(text) }).end(text);
}

export function sendJson(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): void {
  sendText(response, status, { 'Content-Type': 'application/json', ...headers }, JSON.stringify(body));
}

/** Sends a JSON-RPC error. Without an id it belongs to no request. */
export function sendError(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
): void {
  sendJson(response, status, { jsonrpc: '2.0', error: { code, message }, id });
}
