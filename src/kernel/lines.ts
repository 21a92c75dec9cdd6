import { Excerpt } from './excerpt.ts';

export interface LineTaker {
  line(line: string, bytes: number): void;
  /** A line that is longer than the limit; it was not kept. */
  tooLong(excerpt: Excerpt): void;
}

const newline = 10;

/** Takes chunks, gives whole lines. A line over the limit is read past: whoever sent it can go on. */
export function lineReader(limit: () => number, taker: LineTaker): (chunk: Buffer) => void {
  let parts: Buffer[] = [];
  let size = 0;
  let excerpt: Excerpt | undefined;

  const keep = (part: Buffer) => {
    size += part.length;
    if (excerpt === undefined && size <= limit()) return void parts.push(part);
    if (excerpt === undefined) {
      excerpt = new Excerpt();
      for (const one of parts) excerpt.add(one);
      parts = [];
    }
    return excerpt.add(part);
  };
  const end = () => {
    const [kept, over, bytes] = [parts, excerpt, size];
    parts = [];
    size = 0;
    excerpt = undefined;
    if (over !== undefined) taker.tooLong(over);
    else taker.line(textOf(kept), bytes);
  };
  return (chunk) => {
    let from = 0;
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, from)) {
      keep(chunk.subarray(from, at));
      from = at + 1;
      end();
    }
    if (from < chunk.length) keep(chunk.subarray(from));
  };
}

function textOf(parts: Buffer[]): string {
  const whole = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  // Else they would lie beside the text and what is parsed from it.
  parts.length = 0;
  return whole.toString('utf8');
}
