import { expect, test } from 'vitest';
import { linesOf, nearChanges } from '../../dashboard/component/difference-lines.ts';
import { sizeText } from '../../dashboard/component/size.ts';

test('a difference shows what changed, and leaves out what is far from it', () => {
  const before = Array.from({ length: 30 }, (_, index) => `line ${index}`).join('\n');
  const lines = nearChanges(linesOf(before, before.replace('line 15', 'another')));
  expect(lines.filter((one) => one.change === 'removed').map((one) => one.text)).toEqual(['line 15']);
  expect(lines.filter((one) => one.change === 'added').map((one) => one.text)).toEqual(['another']);
  expect(lines.length).toBeLessThan(14);
  expect(nearChanges(linesOf('same\n', 'same\n'))).toEqual([]);
});

test('sizes are as a person says them', () => {
  expect([sizeText(12), sizeText(1234), sizeText(5_000_000)]).toEqual(['12 B', '1.2 kB', '5.0 MB']);
});
