// oxlint-disable-next-line eslint/no-control-regex -- escape sequences for colours begin with ESC
const colours = /\u001b\[[0-9;]*m/g;

/** A log line without terminal colours. */
export function uncoloured(line: string): string {
  return line.replaceAll(colours, '');
}
