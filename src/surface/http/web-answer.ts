import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendText } from './body.ts';

/** The request as the SDK wants it. Without the body, which was read: the SDK's own adapter writes it once more to have one. */
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

/** Sends what the SDK answers. */
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
