import type { Readable } from 'node:stream';

/** As long as the SDK takes them. */
const maxLength = 10 * 1024 * 1024;

/** Calls back for every whole line. A client that never ends its line must not fill the memory: it is cut off. */
export function readLines(input: Readable, take: (line: string) => void): void {
  let begun: string[] = [];
  let size = 0;
  input.setEncoding('utf8');
  input.on('data', (chunk: string) => {
    const [first = '', ...more] = chunk.split('\n');
    begun.push(first);
    size += first.length;
    for (const next of more) {
      if (size > maxLength) break;
      take(begun.join(''));
      begun = [next];
      size = next.length;
    }
    if (size > maxLength) input.destroy(new Error(`A message is longer than ${maxLength} characters`));
  });
}
