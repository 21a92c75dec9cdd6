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

/** Whole lines from a position on. `whole`: what has no newline yet counts too, because nobody will add one. */
export function readLog(folder: string, from: number, limit: number, whole: boolean): LogPage {
  const files = logFiles(folder);
  const oldest = files[0] ?? 0;
  let position = Math.max(from, oldest);
  const dropped = position - from;
  const lines: string[] = [];
  for (const [index, first] of files.entries()) {
    const next = files[index + 1];
    if (next !== undefined && next <= position) continue;
    const file = openSync(join(folder, name(first)), 'r');
    try {
      const { size } = fstatSync(file);
      const end = first + size;
      while (position < end && lines.length < limit) {
        const buffer = Buffer.alloc(Math.min(chunkBytes, end - position));
        const read = readSync(file, buffer, 0, buffer.length, position - first);
        const taken = takeLines(
          buffer.subarray(0, read),
          lines,
          limit,
          whole || next !== undefined || read === chunkBytes,
        );
        if (taken === 0) break;
        position += taken;
      }
      if (lines.length >= limit) return { lines, next: position, dropped, more: position < end || next !== undefined };
    } finally {
      closeSync(file);
    }
  }
  return { lines, next: position, dropped, more: false };
}

/** Adds lines up to the limit; returns how many bytes they took. */
function takeLines(buffer: Buffer, lines: string[], limit: number, withTail: boolean): number {
  let at = 0;
  while (at < buffer.length && lines.length < limit) {
    const end = buffer.indexOf(10, at);
    if (end < 0) {
      // A line longer than what is read at once is given in pieces.
      if (!withTail || (lines.length > 0 && buffer.length === chunkBytes)) return at;
      lines.push(buffer.toString('utf8', at));
      return buffer.length;
    }
    lines.push(buffer.toString('utf8', at, end));
    at = end + 1;
  }
  return at;
}
