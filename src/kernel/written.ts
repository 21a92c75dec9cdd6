import { crypto } from './crypto.ts';
import { roughBytes } from './sound.ts';

const largeBytes = 4 * 1024 * 1024;
const longText = 256 * 1024;
const sliceLength = 64 * 1024;

/**
 * A message as its JSON: a text, which a stream writes as it is. Of a large one the bytes: `JSON.stringify` holds it three
 * times while it writes (in parts, whole, as bytes), so its long texts are written by themselves, slice by slice. Into one
 * block, which goes back to the system whole.
 */
export function written(message: unknown, end = ''): string | Buffer {
  if (roughBytes(message) < largeBytes) return JSON.stringify(message) + end;
  const { frame, mark, long } = takenOut(message);
  return joined(`${frame}${end}`.split(mark), long);
}

/** A large value without its long texts, for who writes JSON by itself: `restore` puts them into what was written. */
export interface Lifted {
  readonly value: unknown;
  restore(text: string): Buffer;
}

/** Undefined where it is not worth it. */
export function lift(value: unknown): Lifted | undefined {
  if (roughBytes(value) < largeBytes) return undefined;
  const { frame, mark, long } = takenOut(value);
  return {
    value: JSON.parse(frame) as unknown,
    restore: (text) => (text.includes(mark) ? joined(text.split(mark), long) : Buffer.from(text)),
  };
}

function takenOut(message: unknown) {
  const mark = crypto().randomUUID();
  const long: string[] = [];
  const frame = JSON.stringify(message, (_key, value: unknown) => {
    if (typeof value !== 'string' || value.length < longText) return value;
    long.push(value);
    return mark;
  });
  return { frame, mark, long };
}

function joined(between: readonly string[], long: readonly string[]): Buffer {
  let length = 0;
  for (const part of partsOf(between, long)) length += Buffer.byteLength(part);
  const bytes = Buffer.allocUnsafe(length);
  let at = 0;
  for (const part of partsOf(between, long)) at += bytes.write(part, at);
  return bytes;
}

function* partsOf(between: readonly string[], long: readonly string[]): Generator<string> {
  for (const [index, text] of between.entries()) {
    yield text;
    yield* slicesOf(long[index] ?? '');
  }
}

/** The JSON of a text, without its quotes. */
function* slicesOf(text: string): Generator<string> {
  for (let from = 0; from < text.length;) {
    let to = Math.min(from + sliceLength, text.length);
    // Half of a character alone would be written as an escape.
    if (to < text.length && isHighSurrogate(text.charCodeAt(to - 1))) to -= 1;
    yield JSON.stringify(text.slice(from, to)).slice(1, -1);
    from = to;
  }
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}
