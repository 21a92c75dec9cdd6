import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendText } from './body.ts';

/** Converts a request for the SDK, without its body: we parsed it already, and the SDK's own adapter would serialize it again. */
export function webRequest({ headers, method, url }: IncomingMessage, signal: AbortSignal): Request {
  const all = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
  return new Request(`http://${headers.host ?? 'localhost'}${url ?? '/'}`, {
    method: method ?? 'GET',
    headers: all,
    signal,
  });
}

export async function sendWebAnswer(answer: Response, response: ServerResponse, signal: AbortSignal): Promise<void> {
  const headers = Object.fromEntries(answer.headers);
  const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
  if (answer.body === null) return void response.writeHead(answer.status, headers).end();
  if (!isStream) return sendText(response, answer.status, headers, await answer.text());
  response.writeHead(answer.status, headers);
  response.flushHeaders();
  for await (const chunk of answer.body) {
    if (signal.aborted) break;
    if (!response.write(chunk)) await once(response, 'drain', { signal }).catch(() => undefined); // The client has gone.
  }
  response.end();
}
