const newline = 10;
/** As much as is kept of a log. Of a longer line the reader gets this much of its beginning. */
const longestLine = 16 * 1024 * 1024;
/** Of a line that has not ended yet, so much is held back at most: whoever watches the log sees the rest of it. */
const heldBack = 1024 * 1024;

export interface LineSink {
  /** The bytes as they came, once each. Whole lines together, so that two streams do not mix within a line. */
  raw(bytes: Buffer): void;
  lines(lines: readonly string[]): void;
}

/** Cuts a stream into lines, whatever its chunks, its encoding and the length of its lines. */
export function createLines(sink: LineSink): {
  add(chunk: Buffer): void;
  /** What was left without a newline. */
  end(): void;
} {
  /** Of the line that has not ended yet. */
  let open: Buffer[] = [];
  let length = 0;
  /** What the log does not have yet. */
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
    const text = whole.toString('utf8'); // Bytes that are no UTF-8 become replacement characters here, and stay in the log.
    sink.lines(text.split('\n').slice(0, whole.at(-1) === newline ? -1 : undefined));
  };
  return {
    add(chunk) {
      const at = chunk.lastIndexOf(newline) + 1;
      if (at > 0) {
        release(chunk.subarray(0, at));
        tell(chunk.subarray(0, at));
      }
      // A copy: the tail must not keep the whole chunk in memory.
      if (at < chunk.length) hold(at === 0 ? chunk : Buffer.from(chunk.subarray(at)));
      if (bytes >= heldBack) release(Buffer.alloc(0));
    },
    end() {
      release(Buffer.alloc(0));
      if (length > 0) tell(Buffer.alloc(0));
    },
  };
}
