import type { IncomingMessage, ServerResponse } from 'node:http';

const maxBodyBytes = 4 * 1024 * 1024;

/** The whole body; undefined where it is too large. Of such a one the rest is read past, so that its sender hears why. */
export function readText(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    let chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else {
        chunks = [];
        resolve(undefined);
      }
    });
    request.once('end', () => resolve(chunks.length === 1 ? chunks[0]?.toString() : Buffer.concat(chunks).toString()));
    request.once('error', reject);
    request.once('close', () => reject(new Error('the client has gone')));
  });
}

/** The parsed body; undefined where it is no JSON. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const text = await readText(request);
  if (text === undefined) return 'too large';
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
