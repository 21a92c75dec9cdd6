const newline = 10;
const longestLine = 4 * 1024 * 1024;

/** Cuts a stream into lines, whatever its chunks and its encoding. A line that never ends is cut, not collected for ever. */
export function createLines(onLines: (raw: Buffer, lines: readonly string[]) => void): {
  add(chunk: Buffer): void;
  /** What was left without a newline. */
  end(): void;
} {
  let rest: Buffer[] = [];
  let held = 0;
  const flush = (raw: Buffer) => {
    const text = raw.toString('utf8'); // Bytes that are no UTF-8 become replacement characters here, and stay in the log.
    onLines(raw, text.split('\n').slice(0, raw.at(-1) === newline ? -1 : undefined));
  };
  return {
    add(chunk) {
      const at = chunk.lastIndexOf(newline);
      if (at < 0) {
        rest.push(chunk);
        held += chunk.length;
        if (held < longestLine) return;
        const long = Buffer.concat([...rest, Buffer.from('\n')]);
        rest = [];
        held = 0;
        return flush(long);
      }
      const whole = chunk.subarray(0, at + 1);
      const raw = rest.length === 0 ? whole : Buffer.concat([...rest, whole]);
      const tail = chunk.subarray(at + 1);
      // A copy: the tail must not keep the whole chunk in memory.
      rest = tail.length === 0 ? [] : [Buffer.from(tail)];
      held = tail.length;
      return flush(raw);
    },
    end() {
      if (held > 0) flush(Buffer.concat(rest));
      rest = [];
      held = 0;
    },
  };
}
