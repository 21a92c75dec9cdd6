const newline = 10;
/** The longest line passed to the reader, as large as the log; the rest of a longer line is cut off. */
const longestLine = 16 * 1024 * 1024;
/** The most bytes of an unfinished line kept out of the log, so that a person who watches sees a long line. */
const heldBack = 1024 * 1024;

export interface LineSink {
  /** Gets the bytes as they came, once each, in whole lines, so that two streams do not mix within a line. */
  raw(bytes: Buffer): void;
  lines(lines: readonly string[]): void;
}

/** Splits a stream into lines, for any chunks, encoding and line length. */
export function createLines(sink: LineSink): {
  add(chunk: Buffer): void;
  /** Passes on the last line if it has no newline. */
  end(): void;
} {
  /** Parts of the unfinished line. */
  let open: Buffer[] = [];
  let length = 0;
  /** Bytes not yet written to the log. */
  let held: Buffer[] = [];
  let bytes = 0;

  const hold = (part: Buffer) => {
    held.push(part);
    bytes += part.length;
    const room = Math.max(0, longestLine - length);
    if (room > 0) open.push(part.length <= room ? part : part.subarray(0, room));
    length += part.length;
  };
  const release = (last: Buffer) => {
    if (bytes + last.length > 0) sink.raw(bytes === 0 ? last : Buffer.concat([...held, last]));
    held = [];
    bytes = 0;
  };
  const tell = (last: Buffer) => {
    const whole = open.length === 0 ? last : Buffer.concat([...open, last]);
    open = [];
    length = 0;
    const text = whole.toString('utf8'); // Invalid UTF-8 becomes replacement characters here; the log keeps the original bytes.
    sink.lines(text.split('\n').slice(0, whole.at(-1) === newline ? -1 : undefined));
  };
  return {
    add(chunk) {
      const at = chunk.lastIndexOf(newline) + 1;
      if (at > 0) {
        release(chunk.subarray(0, at));
        tell(chunk.subarray(0, at));
      }
      // A copy, so that the tail does not keep the whole chunk in memory.
      if (at < chunk.length) hold(at === 0 ? chunk : Buffer.from(chunk.subarray(at)));
      if (bytes >= heldBack) release(Buffer.alloc(0));
    },
    end() {
      release(Buffer.alloc(0));
      if (length > 0) tell(Buffer.alloc(0));
    },
  };
}
