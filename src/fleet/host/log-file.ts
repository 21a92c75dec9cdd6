import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** A file is named by the number of the first byte in it, so a position means the same before and after a rotation. */
const fileBytes = 8 * 1024 * 1024;
const keptFiles = 2;
const name = (first: number) => `output-${String(first).padStart(14, '0')}.log`;
const firstOf = (file: string) => Number(/^output-(\d{14})\.log$/.exec(file)?.[1] ?? Number.NaN);

export interface LogWriter {
  write(raw: Buffer): void;
  close(): void;
}

/** Everything an agent printed, at most 16 MiB of it. Written at once: a log must not fall behind what it tells of. */
export function openLog(folder: string): LogWriter {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  let first = 0;
  let length = 0;
  let file = openSync(join(folder, name(0)), 'a', 0o600);
  return {
    write(raw) {
      if (length > 0 && length + raw.length > fileBytes) {
        closeSync(file);
        first += length;
        length = 0;
        file = openSync(join(folder, name(first)), 'a', 0o600);
        for (const old of logFiles(folder).slice(0, -keptFiles)) rmSync(join(folder, name(old)), { force: true });
      }
      writeSync(file, raw);
      length += raw.length;
    },
    close: () => closeSync(file),
  };
}

export function isLogFile(file: string): boolean {
  return !Number.isNaN(firstOf(file));
}

/** First bytes of the files that are kept, oldest first. */
function logFiles(folder: string): readonly number[] {
  try {
    return readdirSync(folder)
      .map(firstOf)
      .filter((one) => !Number.isNaN(one))
      .toSorted((a, b) => a - b);
  } catch {
    return []; // It has printed nothing yet, or somebody tidied up.
  }
}

export interface LogPage {
  readonly lines: readonly string[];
  /** Where to go on. */
  readonly next: number;
  /** Bytes before the first line that are no longer kept. */
  readonly dropped: number;
  /** There is more already. */
  readonly more: boolean;
}

const chunkBytes = 256 * 1024;

export interface LogWindow {
  readonly from: number;
  /** How many lines at most. */
  readonly limit: number;
  /** What has no newline yet counts too, because nobody will add one. */
  readonly whole: boolean;
  /** How large the page may become in a message. A line that alone is larger comes in pieces. */
  readonly weight: number;
}

/** Whole lines from a position on, of any length. */
export function readLog(folder: string, { from, limit, whole, weight }: LogWindow): LogPage {
  const files = logFiles(folder);
  let next = Math.max(from, files[0] ?? 0);
  const dropped = next - from;
  const lines: string[] = [];
  let room = weight;
  let open: Buffer[] = [];
  /** False where the page is full. */
  const take = (line: Buffer, newline: 0 | 1): boolean => {
    const { fits, cost } = fitting(line, room);
    if (fits < line.length && lines.length > 0) return false;
    lines.push(line.toString('utf8', 0, fits));
    next += fits < line.length ? fits : line.length + newline;
    room -= cost;
    return fits === line.length && lines.length < limit && room > 0;
  };
  const { chunks, end } = bytesFrom(folder, files, next);
  for (const chunk of chunks) {
    let at = 0;
    for (let stop = chunk.indexOf(10); stop >= 0; stop = chunk.indexOf(10, at)) {
      const last = chunk.subarray(at, stop);
      const line = open.length === 0 ? last : Buffer.concat([...open, last]);
      open = [];
      at = stop + 1;
      if (!take(line, 1)) return { lines, next, dropped, more: next < end() };
    }
    if (at < chunk.length) open.push(chunk.subarray(at));
  }
  if (whole && open.length > 0) take(Buffer.concat(open), 0);
  return { lines, next, dropped, more: whole && next < end() };
}

/** What was written from a position on, across the files. `end` is where the last one ended that was read. */
function bytesFrom(folder: string, files: readonly number[], from: number) {
  let known = files.at(-1) ?? 0;
  function* chunks(): Generator<Buffer> {
    let position = from;
    for (const [index, first] of files.entries()) {
      const following = files[index + 1];
      if (following !== undefined && following <= position) continue;
      const file = openSync(join(folder, name(first)), 'r');
      try {
        const last = first + fstatSync(file).size;
        known = Math.max(known, last);
        while (position < last) {
          const buffer = Buffer.alloc(Math.min(chunkBytes, last - position));
          const read = readSync(file, buffer, 0, buffer.length, position - first);
          if (read === 0) break;
          position += read;
          yield buffer.subarray(0, read);
        }
      } finally {
        closeSync(file);
      }
    }
  }
  return { chunks: chunks(), end: () => known };
}

/** How many bytes of a line fit, and what they cost in an answer, which has them as JSON and as JSON within JSON. */
function fitting(line: Buffer, room: number): { fits: number; cost: number } {
  let cost = 0;
  // By index: it may be megabytes.
  for (let at = 0; at < line.length; at++) {
    const byte = line[at] ?? 0;
    const price = byte < 32 ? 13 : byte === 34 || byte === 92 ? 6 : byte < 128 ? 2 : 6;
    if (cost + price > room) return { fits: wholeCharacters(line, at), cost };
    cost += price;
  }
  return { fits: line.length, cost: cost + 8 };
}

/** So far back that no character is cut in two; at least something, or a reader would never get on. */
function wholeCharacters(line: Buffer, at: number): number {
  let cut = at;
  while (cut > 0 && at - cut < 4 && ((line[cut] ?? 0) & 0xc0) === 0x80) cut--;
  return cut > 0 ? cut : Math.max(1, at);
}
