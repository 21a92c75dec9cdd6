import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { requirements } from './requirements.ts';

test('every requirement is cited by a test', () => {
  const folders = ['.', '../hostile', '../fleet', '../browser'].map((folder) => join(import.meta.dirname, folder));
  const sources = folders
    .flatMap((folder) => readdirSync(folder).map((name) => join(folder, name)))
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => readFileSync(path, 'utf8'))
    .join('\n');
  const uncited = Object.keys(requirements).filter((id) => !sources.includes(`requires('${id}')`));
  expect(uncited).toEqual([]);
});
