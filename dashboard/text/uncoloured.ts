// oxlint-disable-next-line eslint/no-control-regex -- how a terminal is told colours
const colours = /\u001b\[[0-9;]*m/g;

/** A line of a log without the colours that it had for a terminal. */
export function uncoloured(line: string): string {
  return line.replaceAll(colours, '');
}
