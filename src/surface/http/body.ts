import type { IncomingMessage, ServerResponse } from 'node:http';
import { Excerpt } from '../../kernel/excerpt.ts';

/** The whole body, or an excerpt where it is too large: such a one is read past, so that its sender hears why. */
export function readText(request: IncomingMessage, limit: number): Promise<string | Excerpt> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    let excerpt: Excerpt | undefined;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limit) return void chunks.push(chunk);
      excerpt ??= chunks.reduce((all, one) => (all.add(one), all), new Excerpt());
      chunks = [];
      return excerpt.add(chunk);
    });
    request.once('end', () => {
      const whole = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks);
      // Else they would lie beside the text and what is parsed from it.
      chunks = [];
      resolve(excerpt ?? whole.toString());
    });
    request.once('error', reject);
    request.once('close', () => reject(new Error('the client has gone')));
  });
}

/** Undefined where it is no JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
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
