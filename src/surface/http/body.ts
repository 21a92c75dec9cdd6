import type { IncomingMessage, ServerResponse } from 'node:http';
import { ChunkedText } from '../../protocol/chunked-text.ts';

/** The whole body. One over the limit is read past, so that its sender hears why. */
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
    // After the end it closes too, and an error with its stack is dear.
    request.once('close', () => {
      if (!whole) reject(new Error('the client has gone'));
    });
  });
}

/** With its length, head and body go out in one write; without, as chunks. */
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

/** A JSON-RPC error; without an id it belongs to no request. */
export function sendError(
  response: ServerResponse,
  status: number,
  code: number,
  message: string,
  id: string | number | null = null,
): void {
  sendJson(response, status, { jsonrpc: '2.0', error: { code, message }, id });
}
