import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import { loadCatalogue } from '../../src/app/catalogue.ts';
import type { ProblemOf } from '../../src/kernel/problem.ts';
import { renderProblem } from '../../src/surface/terminal/failure.ts';
import { renderOutput } from '../../src/surface/terminal/render.ts';
import { idsIn } from '../../src/surface/terminal/cell.ts';
import type { Screen } from '../../src/surface/terminal/screen.ts';
import { flawsOf, narrow } from './flaws.ts';
import { sampleOf, sampleParams } from './samples.ts';
import { toolsIn } from './tools-in.ts';

const now = new Date('2026-11-16T12:00:00Z');
/** With the short form that the store would give each id. */
const withIds = (screen: Screen, value: unknown): Screen => ({
  ...screen,
  ids: new Map(idsIn(value).map((id) => [id, id.split('-').slice(0, -3).join('-')])),
});
const screens: readonly Screen[] = (['en', 'ja'] as const).map((lang) => ({ width: narrow, lang, now }));

const { operations } = await loadCatalogue();

describe.each(screens)('at a terminal of $width columns, in $lang', (screen) => {
  test.each(operations.map((one) => [one.name, one] as const))('%s answers in lines that fit', (_, operation) => {
    const output = sampleOf(z.toJSONSchema(operation.output, { io: 'output', unrepresentable: 'any' }));
    const shown = renderOutput(operation, output, withIds(screen, output));
    expect(shown.trim()).not.toBe('');
    // A text is somebody's own: it only has to fit.
    const flaws = flawsOf(shown).filter((one) => operation.present === undefined || one.includes(' columns: '));
    expect(flaws, shown).toEqual([]);
  });
});

/** Every factory of problems that there is, wherever it is defined. */
const root = join(import.meta.dirname, '../../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .filter((name) => /\bdefine(Problems|Refusals)[<(]/.test(readFileSync(join(root, name), 'utf8')));

function isFactory(value: unknown): value is ProblemOf<never> {
  return typeof value === 'function' && 'code' in value && 'text' in value;
}

const factories = (
  await Promise.all(
    files.map(async (name) => {
      const exported = Object.values((await import(join(root, name))) as Record<string, object>);
      const found = exported.flatMap((one) => Object.entries(one ?? {})).filter((pair) => isFactory(pair[1]));
      return found.map(([key, make]) => [`${name} ${key}`, make as ProblemOf<never>] as const);
    }),
  )
).flat();

describe.each(screens)('what is refused, in $lang', (screen) => {
  test('every file that defines problems shows them', () => {
    expect(files.length).toBeGreaterThan(7);
    expect(files.filter((name) => !factories.some(([key]) => key.startsWith(`${name} `)))).toEqual([]);
  });

  test.each(factories)('%s is told in lines that fit', (key, make) => {
    const build = make as unknown as (params: object) => ReturnType<typeof make>;
    for (const params of sampleParams(key)) {
      const shown = renderProblem(build(params), withIds(screen, build(params).in(screen.lang)), { operations });
      expect(shown).toMatch(/^✗ \S/);
      expect(flawsOf(shown), shown).toEqual([]);
      expect(toolsIn(shown, operations), shown).toEqual([]);
    }
  });
});

test('a line that is too wide, a value that is none, a stack and a long id are noticed', () => {
  const id = 'run-01a1e2ae-4373-7a22-ab29-cb376ef13668';
  for (const text of ['日'.repeat(31), 'to undefined', '    at run (/a/b.ts:1:2)', `see ${id}.`, 'a {"b":1}'])
    expect(flawsOf(text), text).toHaveLength(1);
  expect(flawsOf(`${'日'.repeat(30)}\n/a/${id}/b`)).toEqual([]);
});
