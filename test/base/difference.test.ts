import { expect, test } from 'vitest';
import { unifiedDiff } from '../../src/base/difference.ts';
import fc from '../setup/property.ts';

const lines = fc
  .array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 30 })
  .map((all) => all.map((one) => `${one}\n`).join(''));

/** What a reader of the diff does: take the old text, follow the hunks. */
function apply(before: string, diff: string): string {
  const old = before.split('\n').slice(0, -1);
  const made: string[] = [];
  let at = 0;
  for (const line of diff.split('\n').slice(2, -1)) {
    const head = /^@@ -(\d+),(\d+) /.exec(line);
    if (head !== null) {
      const start = Number(head[1]) - (head[2] === '0' ? 0 : 1);
      while (at < start) made.push(old[at++] ?? '');
    } else if (line.startsWith('+')) made.push(line.slice(1));
    else {
      expect(old[at]).toBe(line.slice(1));
      if (line.startsWith(' ')) made.push(old[at] ?? '');
      at++;
    }
  }
  return [...made, ...old.slice(at)].map((line) => `${line}\n`).join('');
}

test('a diff turns the old text into the new one, whatever they are', () => {
  fc.assert(
    fc.property(lines, lines, (before, after) => {
      const diff = unifiedDiff(before, after, ['1', '2']);
      if (before === after) expect(diff).toBe('');
      else expect(apply(before, diff)).toBe(after);
    }),
  );
});

test('a diff shows three lines around a change', () => {
  const before = ['1', '2', '3', '4', '5', '6', '7', '8', '9'].join('\n');
  expect(unifiedDiff(before, before.replace('5', 'five'), ['v1', 'v2'])).toBe(
    '--- v1\n+++ v2\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n',
  );
});

test('names stay as they are, in any script', () => {
  expect(unifiedDiff('a\n', 'b\n', ['設計 version 1', '設計 version 2'])).toBe(
    '--- 設計 version 1\n+++ 設計 version 2\n@@ -1,1 +1,1 @@\n-a\n+b\n',
  );
});

test('a line that is not ended is told from one that is', () => {
  expect(unifiedDiff('a\nb', 'a\nb\n', ['1', '2'])).toContain('-b\n\\ No newline at end of file\n+b\n');
});

test('texts with nothing in common are shown one after the other, in a bounded time', () => {
  const many = (name: string, count: number) =>
    Array.from({ length: count }, (_, index) => `${name}${index}\n`).join('');
  const [before, after] = [many('old', 2000), many('new', 3000)];
  const diff = unifiedDiff(before, after, ['1', '2']);
  expect(diff).toContain('@@ -1,2000 +1,3000 @@\n-old0\n-old1\n');
  expect(apply(before, diff)).toBe(after);
  expect(unifiedDiff(before, `${after}end`, ['1', '2'])).toMatch(/\+end\n\\ No newline at end of file\n$/);
  // 200,000 lines that are alike in every place: what a shortest way would take hours for.
  const alike = (step: number) =>
    Array.from({ length: 100_000 }, (_, index) => ((index * index * step) % 7 < 3 ? 'a\n' : 'b\n')).join('');
  expect(unifiedDiff(alike(1), alike(3), ['1', '2'])).toContain('@@ -1,100000 +1,100000 @@');
});
