import { describe, expect, test } from 'vitest';
import { cooldownAfter } from '../../src/work/runner/start.ts';
import { hashPasskey, isPasskey, makePasskey } from '../../src/work/session/passkey.ts';
import { statusOfExit } from '../../src/work/session/executions.ts';

describe('the rest after failures', () => {
  test('it doubles from a minute to an hour and grows no further', () => {
    const rests = [0, 1, 2, 3, 4, 5, 6, 7, 8, 50].map(
      (failures) => cooldownAfter(failures, 60_000, 3_600_000) / 60_000,
    );
    expect(rests).toEqual([0, 1, 2, 4, 8, 16, 32, 60, 60, 60]);
  });
});

describe('passkeys', () => {
  test('a passkey fits its own hash and no other, and nobody’s fits none', async () => {
    const passkey = makePasskey();
    const stored = await hashPasskey(passkey);
    expect(await isPasskey(passkey, stored)).toBe(true);
    expect(await isPasskey(makePasskey(), stored)).toBe(false);
    expect(await isPasskey(passkey, undefined)).toBe(false);
    expect(await hashPasskey(passkey)).not.toBe(stored);
    expect(stored).not.toContain(passkey);
  });
});

test('an exit code says how an execution ended', () => {
  expect([0, 1, 127, 128, 255, -1].map(statusOfExit)).toEqual([
    'completed',
    'failed',
    'failed',
    'error',
    'error',
    'error',
  ]);
});
