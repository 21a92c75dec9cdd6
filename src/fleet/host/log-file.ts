import { closeSync, fstatSync, mkdirSync, openSync, readdirSync, readSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';

/** The size of a log file. Files are named after the position of their first byte, which survives a rotation. */
const fileBytes = 8 * 1024 * 1024;
const keptFiles = 2;
const name = (first: number) => `output-${String(first).padStart(14, '0')}.log`;
const firstOf = (file: string) => Number(/^output-(\d{14})\.log$/.exec(file)?.[1] ?? Number.NaN);

export interface LogWriter {
  write(raw: Buffer): void;
  close(): void;
}

/** Opens an agent's log, at most 16 MiB. Writes are synchronous, so it never lags behind the recorded progress. */
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

/** Returns the first positions of the kept files, oldest first. */
function logFiles(folder: string): readonly number[] {
  try {
    return readdirSync(folder)
      .map(firstOf)
      .filter((one) => !Number.isNaN(one))
      .toSorted((a, b) => a - b);
  } catch {
    return []; // The agent has printed nothing yet, or the folder was removed.
  }
}

export interface LogPage {
  readonly lines: readonly string[];
  /** The position of the next page. */
  readonly next: number;
  /** The number of bytes before the first line that are no longer kept. */
  readonly dropped: number;
  /** More lines are available now. */
  readonly more: boolean;
}

const chunkBytes = 256 * 1024;

export interface LogWindow {
  readonly from: number;
  /** The maximum number of lines. */
  readonly limit: number;
  /** Includes a last line without newline, because the writer has ended. */
  readonly whole: boolean;
  /** The maximum size of the page in a message. A single line that is larger is split. */
  readonly weight: number;
}

/** Reads whole lines of any length from a position. */
export function readLog(folder: string, { from, limit, whole, weight }: LogWindow): LogPage {
  const files = logFiles(folder);
  let next = Math.max(from, files[0] ?? 0);
  const dropped = next - from;
  const lines: string[] = [];
  let room = weight;
  let open: Buffer[] = [];
  /** Adds a line to the page. Returns false if the page is full. */
  const take = (line: Buffer, newline: 0 | 1): boolean => {
    const { fits, cost } = measureFit(line, room);
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

/** Reads the bytes from a position across the files. `end` returns the end of the last file that was read. */
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

/** Returns how many bytes of a line fit, and their size in a result, which has them as JSON and as JSON within JSON. */
function measureFit(line: Buffer, room: number): { fits: number; cost: number } {
  let cost = 0;
  // A loop by index: a line may be megabytes long.
  for (let at = 0; at < line.length; at++) {
    const byte = line[at] ?? 0;
    const price = byte < 32 ? 13 : byte === 34 || byte === 92 ? 6 : byte < 128 ? 2 : 6;
    if (cost + price > room) return { fits: cutAtCharacter(line, at), cost };
    cost += price;
  }
  return { fits: line.length, cost: cost + 8 };
}

/** Moves the cut back so that it splits no character, but never to 0: a reader would not advance. */
function cutAtCharacter(line: Buffer, at: number): number {
  let cut = at;
  while (cut > 0 && at - cut < 4 && ((line[cut] ?? 0) & 0xc0) === 0x80) cut--;
  return cut > 0 ? cut : Math.max(1, at);
}
