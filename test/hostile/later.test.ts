import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import { type World, createWorld, removeTemplate } from '../fixtures/sandbox/world.ts';
import { row } from '../setup/security.ts';

/** The files that the page says are writable inside, and those that it says are not. */
function listsIn(page: string, heading: string): readonly (readonly string[])[] {
  const text = readFileSync(join(import.meta.dirname, '../..', page), 'utf8');
  const [, section = ''] = text.split(`### ${heading}\n`);
  const [, table = '', fixed = ''] = /\n((?:\|.*\n)+)\n(.*)\n/.exec(section) ?? [];
  return [table, fixed].map((part) => [...part.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? ''));
}

const [writable = [], fixed = []] = listsIn('SECURITY.md', 'What runs later, outside');

test(`${row('sandbox.later')} both pages list the same files`, () => {
  expect(listsIn('docs/ja/security.md', '後から外で実行されるもの')).toEqual([writable, fixed]);
  expect(writable.length).toBeGreaterThan(60);
  expect(fixed.length).toBeGreaterThan(20);
});

describe.skipIf(getBubblewrap() !== undefined)('a file that runs later, outside', () => {
  let world: World;
  /** Prints those of the files that could be written. */
  const written = (paths: readonly string[]) =>
    paths.map((path) => `mkdir -p "$(dirname ${path})" && echo x >> ${path} && echo ${path}`).join('\n');
  const linesOf = (output: string) => output.split('\n').filter((line) => [...writable, ...fixed].includes(line));

  beforeAll(async () => {
    world = await createWorld();
  });
  afterAll(async () => {
    world.remove();
    await removeTemplate();
  });

  test(`${row('sandbox.later')} is writable inside, if the page says so`, () => {
    expect(linesOf(world.inside(written(writable)).output)).toEqual(writable);
  });

  test(`${row('sandbox.reach')} is read-only inside, if the page says so; outside it could be written`, () => {
    expect(linesOf(world.inside(written(fixed)).output)).toEqual([]);
    expect(linesOf(world.outside(written(fixed)).output)).toEqual(fixed);
  });
});
