import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const tests = readdirSync(join(root, 'test/browser'))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(root, 'test/browser', name), 'utf8'))
  .join('\n');

test('every screen is looked at in both themes and languages, and on a telephone', () => {
  const looked = [...tests.matchAll(/lookAt\(\w+, '([\w-]+)'\)/g)].map(([, name]) => name);
  expect(looked).toEqual(expect.arrayContaining(readdirSync(join(root, 'dashboard/screen'))));
});

test('every dialog is looked at in Japanese', () => {
  const looked = [...tests.matchAll(/\blook\('([\w/-]+)'\)/g)].map(([, name]) => `${name}.tsx`);
  const dialogs = readdirSync(join(root, 'dashboard/screen'), { recursive: true, encoding: 'utf8' });
  expect(looked).toEqual(expect.arrayContaining(dialogs.filter((name) => name.endsWith('-dialog.tsx'))));
});
