import { appendFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { projectFile, readLines } from '../../src/work/session/log-lines.ts';

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'sekisho-log-'));
  onTestFinished(() => rmSync(made, { recursive: true }));
  return made;
}

test('the path of a log leads nowhere out of the project, by links neither', () => {
  const whole = folder();
  const root = join(whole, 'project');
  mkdirSync(root);
  writeFileSync(join(whole, 'secret'), 'secret\n');
  mkdirSync(join(whole, 'project-beside'));
  writeFileSync(join(whole, 'project-beside', 'a.log'), 'beside\n');
  writeFileSync(join(root, 'a.log'), 'a\n');
  symlinkSync(join(whole, 'secret'), join(root, 'link.log'));
  expect(projectFile(root, 'a.log')).toMatch(/a\.log$/);
  expect(projectFile(root, join(root, 'a.log'))).toMatch(/a\.log$/);
  for (const path of ['../secret', join(whole, 'secret'), 'link.log', '../project-beside/a.log', '.', 'none.log'])
    expect(projectFile(root, path), path).toBeUndefined();
});

test('lines come page by page, and an unfinished one waits while its file is larger than a page', () => {
  const file = join(folder(), 'a.log');
  writeFileSync(file, 'one\ntwo\nthree\n');
  expect(readLines(file, 0, 2)).toEqual({ lines: ['one', 'two'], next: 8, more: true });
  expect(readLines(file, 8, 2)).toEqual({ lines: ['three'], next: 14, more: false });
  appendFileSync(file, 'four\n');
  expect(readLines(file, 14, 2)).toEqual({ lines: ['four'], next: 19, more: false });
  expect(readLines(file, 99, 2)).toEqual({ lines: [], next: 99, more: false });
  const long = `${'x'.repeat(200_000)}\n`;
  writeFileSync(file, long + long);
  const first = readLines(file, 0, 10);
  expect(first).toMatchObject({ next: 200_001, more: true });
  expect(readLines(file, first.next, 10)).toMatchObject({ next: 400_002, more: false });
});
