import { expect, test } from 'vitest';
import { cutPage, decodeCursor, decodePosition, encodeCursor } from '../../../src/kernel/store/page.ts';

const refused = expect.objectContaining({ code: 'VALIDATION_ERROR' });

test('a cursor leads back to its key', () => {
  for (const key of ['', '12', 'tsk_1', 'a b', '2:abc', '日本語', '\u{1f600}'])
    expect(decodeCursor(encodeCursor(key))).toBe(key);
  expect(cutPage(['a', 'b', 'c'], 2, (one) => one).next).toBe(encodeCursor('b'));
  expect(decodeCursor(undefined)).toBeUndefined();
});

test('nonsense is no cursor', () => {
  const good = encodeCursor('12');
  for (const cursor of ['nonsense', '', 'MTI', good.slice(1), `${good}A`, `${good}=`, ` ${good}`, good.toUpperCase()])
    expect(() => decodeCursor(cursor)).toThrow(refused);
});

test('a cursor of another list is none of a list of numbers', () => {
  expect(decodePosition(encodeCursor('12'))).toBe(12);
  expect(decodePosition(undefined)).toBeUndefined();
  for (const key of ['tsk_1', '', '-1', '1e3', '9'.repeat(16)])
    expect(() => decodePosition(encodeCursor(key))).toThrow(refused);
});
