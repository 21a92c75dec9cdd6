import stringWidth from 'string-width';
import { expect, test } from 'vitest';
import { renderBoard, renderGraph, renderReady } from '../../src/work/terminal/board-view.ts';
import { cutTo, fitTo } from '../../src/surface/terminal/fit.ts';
import { renderRunner } from '../../src/work/terminal/runner-view.ts';

const task = (id: string, title: string, dependsOn: readonly string[] = []) => ({
  id,
  number: 12,
  title,
  status: 'todo',
  priority: 'high',
  assignee: 'agt_01a1e2db-41db-7000-9b43-02d0f5f0cc27',
  dependsOn,
  claim: undefined,
});
const wide = '荷物の手数料を計算し直して一覧にまとめ、旅人に知らせる仕組みを作る👩‍👩‍👧‍👧'.repeat(3);
const tasks = [task('a', wide), task('b', 'second', ['a']), task('c', `third\u001B[31m`, ['a', 'b'])];

test.each([40, 60, 80, 120])('a board of %i columns keeps within them', (width) => {
  const board = { name: wide, tasks, counts: { backlog: 0, todo: 30 } };
  const pages = [renderBoard(board, width), renderReady(tasks, new Map(), width), renderGraph(board, width)];
  for (const line of pages.join('\n').split('\n')) expect(stringWidth(line)).toBeLessThanOrEqual(width);
  expect(pages.join('')).not.toContain('\u001B[31m');
});

test('a graph has each task once, below the last that it waits for', () => {
  const lines = renderGraph({ name: 'p', tasks }, 80).trimEnd().split('\n');
  expect(lines).toHaveLength(4);
  expect(lines.map((line) => line.search(/\S/))).toEqual([0, 0, 2, 4]);
});

test('a list of tasks shows the id only of a task whose number is not clear', () => {
  const lines = renderReady(tasks.slice(1), new Map([['b', '12']]), 80)
    .trimEnd()
    .split('\n');
  expect(lines.map((line) => line.trim().replace(/ +agt_.*/, ''))).toEqual([
    expect.stringMatching(/#12 second$/),
    expect.stringMatching(/#12 third/),
    'c',
  ]);
});

test('what is cut ends with dots and takes exactly the room it has', () => {
  expect(cutTo('abc', 3)).toBe('abc');
  expect(cutTo('abcd', 3)).toBe('ab…');
  expect(cutTo('関所関所', 4)).toBe('関…');
  expect(stringWidth(fitTo('関所関所', 4))).toBe(4);
});

test('a Runner’s page keeps within the terminal, whatever there is to say', () => {
  const line = { state: 'stuck' as const, who: wide, note: wide };
  const page = renderRunner(
    { title: wide, lines: Array.from({ length: 50 }, () => line), events: [wide, wide] },
    60,
    24,
  );
  const lines = page.split('\n');
  expect(lines.length).toBeLessThanOrEqual(24);
  for (const one of lines) expect(stringWidth(one)).toBeLessThanOrEqual(60);
});
