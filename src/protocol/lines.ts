import type { Writable } from 'node:stream';
import { ChunkedText } from './chunked-text.ts';
import type { Excerpt } from './excerpt.ts';

export interface LineTaker {
  line(line: ChunkedText): void;
  /** Called for a line above the limit, which was not kept. */
  tooLong(excerpt: Excerpt): void;
}

const newline = 10;

/** Splits chunks into lines. A line above the limit is skipped, so its sender can continue. */
export function lineReader(limit: () => number, taker: LineTaker): (chunk: Buffer) => void {
  let current = new ChunkedText();

  const end = () => {
    const line = current;
    current = new ChunkedText();
    if (line.excerpt !== undefined) taker.tooLong(line.excerpt);
    else if (line.bytes > 0) taker.line(line);
  };
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      current.add(chunk.subarray(from, at), limit());
      from = at + 1;
      end();
    }
    current.add(chunk.subarray(from), limit());
  };
}

/** Writes a message as one line; rejects if the stream fails. */
export function writeLine(output: Writable, message: unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(`${JSON.stringify(message)}\n`, (error) => {
      if (error) reject(error);
      else resolve();
    });
  });
}
