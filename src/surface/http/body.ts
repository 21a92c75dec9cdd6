import type { IncomingMessage, ServerResponse } from 'node:http';
import { Pieces, isLarge, reclaim } from '../../kernel/pieces.ts';
import { written } from '../../kernel/written.ts';

/** The whole body. One over the limit is read past, so that its sender hears why. */
export function readBody(request: IncomingMessage, limit: number): Promise<Pieces> {
  return new Promise((resolve, reject) => {
    const pieces = new Pieces();
    const length = Number(request.headers['content-length']);
    request.on('data', (chunk: Buffer) => pieces.add(chunk, limit, pieces.bytes + chunk.length === length));
    let whole = false;
    request.once('end', () => {
      whole = true;
      resolve(pieces);
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
  const json = written(body);
  const length = Buffer.byteLength(json);
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers, 'Content-Length': length });
  response.end(json, isLarge(length) ? () => reclaim(length) : undefined);
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
