import { expect, test } from 'vitest';
import { type AgentState, type Result, shortenAgent } from '../../src/fleet/view/state.ts';

function shortened(errorMessage: string): Result | null {
  const result = { summary: 's', editedFiles: [], createdFiles: [], response: null, errorMessage };
  return shortenAgent({ result } as unknown as AgentState).result;
}

test('a long error keeps its beginning and its end, where the reason is', () => {
  for (const filler of ['x', '行', '\u{1f600}']) {
    const short = shortened(`Traceback:\n${filler.repeat(5000)}\nTypeError: no such key`);
    expect(short).toMatchObject({ truncated: true });
    expect(short?.errorMessage).toMatch(/^Traceback:\n.+….+\nTypeError: no such key$/s);
    expect(Buffer.byteLength(short?.errorMessage ?? '')).toBeLessThanOrEqual(2048);
    expect(short?.errorMessage).not.toContain('\ufffd');
  }
});

test('a short error stays as it is', () => {
  expect(shortened('x'.repeat(2048))).toMatchObject({ errorMessage: 'x'.repeat(2048) });
  expect(shortened('x')).not.toHaveProperty('truncated');
});
