import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const web = join(import.meta.dirname, '../../dist/web');
const sizeOf = (name: string) => statSync(join(web, 'assets', `${name}.gz`)).size;

/** What a file loads at once, with all that those load. */
function loadedWith(name: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(name)) return seen;
  seen.add(name);
  const text = readFileSync(join(web, 'assets', name), 'utf8');
  for (const [, other] of text.matchAll(/(?:from|import)\s?"\.\/([\w.-]+\.js)"/g)) loadedWith(other ?? '', seen);
  return seen;
}

const names = readdirSync(join(web, 'assets')).filter((name) => name.endsWith('.js'));
const html = readFileSync(join(web, 'index.html'), 'utf8');
const main = /assets\/(main-[\w]+\.js)/.exec(html)?.[1] ?? '';
const style = /assets\/(main-[\w]+\.css)/.exec(html)?.[1] ?? '';
const total = (all: Iterable<string>) => [...all].reduce((sum, name) => sum + sizeOf(name), 0);

test('the first load is at most 130 kB', () => {
  const first = [...loadedWith(main)];
  expect(first).toContain(main);
  expect(total(first) + sizeOf(style)).toBeLessThan(130_000);
  expect(total(first)).toBeGreaterThan(40_000);
});

test('each screen adds at most 30 kB', () => {
  const first = loadedWith(main);
  // Files of an earlier build may still lie there for whoever has it open.
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    const text = readFileSync(join(web, 'assets', name), 'utf8');
    for (const [, other] of text.matchAll(/"\.\/([\w.-]+\.js)"/g)) visit(other ?? '');
  };
  visit(main);
  const lazy = names.filter((name) => reached.has(name) && !first.has(name) && !name.startsWith('chunk-'));
  expect(lazy.length).toBeGreaterThan(4);
  const heavy = lazy.map((name) => [name, total([...loadedWith(name)].filter((one) => !first.has(one)))] as const);
  expect(heavy.filter(([, bytes]) => bytes > 30_000)).toEqual([]);
});
