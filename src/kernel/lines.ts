import type { Writable } from 'node:stream';
import type { Excerpt } from './excerpt.ts';
import { Pieces, isLarge, reclaim } from './pieces.ts';
import { written } from './written.ts';

export interface LineTaker {
  /** Its `text` or its `json`, whichever is wanted, can be had once. */
  line(line: Pieces): void;
  /** A line that is longer than the limit; it was not kept. */
  tooLong(excerpt: Excerpt): void;
}

const newline = 10;

/** Takes chunks, gives whole lines. A line over the limit is read past: whoever sent it can go on. */
export function lineReader(limit: () => number, taker: LineTaker): (chunk: Buffer) => void {
  let pieces = new Pieces();

  const end = () => {
    const line = pieces;
    pieces = new Pieces();
    if (line.excerpt !== undefined) taker.tooLong(line.excerpt);
    else if (line.bytes > 0) taker.line(line);
  };
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      pieces.add(chunk, limit(), true, from, at);
      from = at + 1;
      end();
    }
    if (from < chunk.length) pieces.add(chunk, limit(), false, from);
  };
}

/** Writes a message as one line; rejects where the stream does not take it. */
export function writeLine(output: Writable, message: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const line = written(message, '\n');
    const { length } = line;
    output.write(line, (error) => {
      if (error) reject(error);
      else resolve();
      // Once the stream has let go of it.
      if (isLarge(length)) setImmediate(() => reclaim(length));
    });
  });
}
