import { Excerpt, keptBytes } from '../../protocol/excerpt.ts';
import { tooLargeMessage } from '../../kernel/message-size.ts';
import { Lost } from './message.ts';

/** Refuses a message that is too large, if the excerpt identifies it. `half`: more of the message follows. */
export type Refuse = (excerpt: Excerpt, half: boolean) => boolean;

/** Returns the parts of a chunk that may pass. */
type Pass = (chunk: Buffer) => readonly Buffer[];

/** Limits the size of each message, because the SDK reads each one whole. `asked`: events may be the answer. */
export function limitResponse(response: Response, asked: boolean, limit: number, refuse: Refuse): Response {
  const { body, status, statusText, headers, url, redirected } = response;
  if (body === null) return response;
  const [type = ''] = (headers.get('content-type') ?? '').split(';');
  const isStream = asked && status === 200 && type.trim().toLowerCase() === 'text/event-stream';
  const pass = isStream ? eventsUpTo(limit, refuse) : bytesUpTo(limit);
  const made = new Response(filterStream(body, pass), { status, statusText, headers });
  // An event source needs these properties.
  return Object.defineProperties(made, { url: { value: url }, redirected: { value: redirected } });
}

function filterStream(body: ReadableStream<Uint8Array>, pass: Pass): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        // A stream pulls again only after it got something.
        for (let given = 0; given === 0;) {
          const { done, value } = await reader.read();
          if (done) return controller.close();
          for (const part of pass(Buffer.from(value.buffer, value.byteOffset, value.byteLength))) {
            controller.enqueue(part);
            given += 1;
          }
        }
      } catch (error) {
        reader.cancel(error).catch(() => undefined); // The stream is broken already.
        throw error;
      }
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

function bytesUpTo(limit: number): Pass {
  let bytes = 0;
  return (chunk) => {
    bytes += chunk.length;
    if (bytes > limit) throw new Lost(tooLargeMessage(limit), true, { final: true });
    return [chunk];
  };
}

const endOfEvent = Buffer.from('\n\n');

/** An event larger than this many limits ends the connection. */
const patience = 4;

/** Limits the size of events. Only the beginning of a larger event passes, which no client takes for a message. */
function eventsUpTo(limit: number, refuse: Refuse): Pass {
  const endIn = eventEnds();
  let bytes = 0;
  let head: Buffer[] = [];
  let excerpt: Excerpt | undefined;
  let refused = false;

  const add = (part: Buffer): readonly Buffer[] => {
    if (bytes < keptBytes) head.push(part);
    bytes += part.length;
    if (bytes <= limit) return [part];
    if (bytes > limit * patience) throw new Lost(tooLargeMessage(limit), true, { final: true });
    if (excerpt !== undefined) {
      excerpt.add(part);
      return [];
    }
    excerpt = new Excerpt();
    const beginning = Buffer.concat(head);
    // The excerpt starts at the message; the event's name and id precede it.
    excerpt.add(beginning.subarray(Math.max(0, beginning.indexOf('{'))));
    // Most messages identify themselves at once; this one may never end.
    refused = refuse(excerpt, true);
    if (!head.includes(part)) excerpt.add(part);
    return [endOfEvent];
  };
  const end = (): void => {
    if (excerpt !== undefined && !refused) refuse(excerpt, false);
    bytes = 0;
    head = [];
    excerpt = undefined;
    refused = false;
  };
  return (chunk) => {
    const parts: Buffer[] = [];
    let from = 0;
    for (const to of endIn(chunk)) {
      parts.push(...add(chunk.subarray(from, to)));
      end();
      from = to;
    }
    if (from < chunk.length) parts.push(...add(chunk.subarray(from)));
    return parts;
  };
}

const newline = 10;
const carriageReturn = 13;

/** Finds the ends of events in a chunk: after an empty line. Lines end with either character or both. */
function eventEnds(): (chunk: Buffer) => readonly number[] {
  let isEmpty = true;
  let returned = false;
  return (chunk) => {
    const ends: number[] = [];
    let carriage = chunk.indexOf(carriageReturn);
    for (let at = 0; at < chunk.length;) {
      if (carriage !== -1 && carriage < at) carriage = chunk.indexOf(carriageReturn, at);
      const line = chunk.indexOf(newline, at);
      const to = line === -1 || (carriage !== -1 && carriage < line) ? carriage : line;
      if (to !== at) returned = isEmpty = false;
      if (to === -1) return ends;
      // The second character of a line end.
      if (returned && chunk[to] === newline) returned = false;
      else {
        if (isEmpty) ends.push(to + 1);
        isEmpty = true;
        returned = chunk[to] === carriageReturn;
      }
      at = to + 1;
    }
    return ends;
  };
}
