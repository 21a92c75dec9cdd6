import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Plain } from '../../kernel/plain.ts';
import { reclaim } from '../../kernel/pieces.ts';
import type { Lifted } from '../../kernel/written.ts';
import { lift } from '../../kernel/written.ts';

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

/** What the SDK answers, with the long texts that were taken out of it. */
export class WebAnswer {
  #lifted: Lifted | undefined;

  lighten(result: Plain): Plain {
    this.#lifted = lift(result);
    return this.#lifted === undefined ? result : (this.#lifted.value as Plain);
  }

  async send(answer: Response, response: ServerResponse, signal: AbortSignal): Promise<void> {
    const headers = Object.fromEntries(answer.headers);
    const isStream = headers['content-type']?.startsWith('text/event-stream') === true;
    if (answer.body === null || !isStream) {
      const bytes = this.#restored(await answer.text());
      const length = answer.body === null ? {} : { 'Content-Length': bytes.length };
      response.writeHead(answer.status, { ...headers, ...length });
      response.end(bytes, () => reclaim(bytes.length));
      return;
    }
    response.writeHead(answer.status, headers);
    response.flushHeaders();
    // Each event is one chunk.
    for await (const chunk of answer.body) {
      if (signal.aborted) break;
      if (!response.write(this.#restored(Buffer.from(chunk).toString('utf8'))))
        await once(response, 'drain', { signal }).catch(() => undefined); // The client has gone.
    }
    response.end();
  }

  #restored(text: string): Buffer {
    return this.#lifted?.restore(text) ?? Buffer.from(text);
  }
}
