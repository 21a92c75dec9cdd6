import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from './requirements.ts';

test('every requirement is cited by a test', () => {
  const folder = import.meta.dirname;
  const sources = readdirSync(folder)
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n');
  const uncited = Object.keys(requirements).filter((id) => !sources.includes(`requires('${id}')`));
  expect(uncited).toEqual([]);
});
