import { expect, test } from 'vitest';
import { isBelow, isWithin } from '../../src/base/path.ts';

test.for([
  ['/a/b', '/a', true],
  ['/a', '/a', false],
  ['/ab', '/a', false],
  ['/a/..b', '/a', true],
  ['/a', '/', true],
  ['/', '/', false],
] as const)('%s lies below %s: %s', ([path, folder, below]) => {
  expect(isBelow(path, folder)).toBe(below);
  expect(isWithin(path, folder)).toBe(below || path === folder);
});
