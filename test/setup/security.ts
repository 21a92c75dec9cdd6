/**
 * Cites rows of the table of attacks in SECURITY.md, in the title of the test that shows them: `npx vitest run -t <id>` runs a
 * row. `test/house.test.ts` fails where a row has no test, or a test cites none that is there.
 */
export function row(...ids: readonly string[]): string {
  return `[${ids.join(' ')}]`;
}
