import { expect, test } from 'vitest';
import { again, retry } from '../../src/kernel/retry.ts';

const never = () => new Error('nobody was faster each time');

test('an attempt that nobody overtook is the answer, whatever it is', async () => {
  expect(await retry(async () => 7, never)).toBe(7);
  expect(await retry(async () => undefined, never)).toBeUndefined();
});

test('an attempt that was overtaken reads and decides anew', async () => {
  let tries = 0;
  const answer = await retry(async () => (++tries < 5 ? again : tries), never);
  expect(answer).toBe(5);
});

test('whoever is overtaken each time ends in what the caller gave', async () => {
  let tries = 0;
  const attempt = retry(
    async () => {
      tries++;
      return again;
    },
    async () => new RangeError(`overtaken ${tries} times`),
  );
  await expect(attempt).rejects.toThrow(new RangeError('overtaken 100 times'));
});

test('a failure of an attempt is not tried again', async () => {
  let tries = 0;
  const attempt = retry(async () => {
    tries++;
    throw new TypeError('no such column');
  }, never);
  await expect(attempt).rejects.toThrow('no such column');
  expect(tries).toBe(1);
});

test('sixty who want the same row at once all get it', async () => {
  let revision = 0;
  const bump = () =>
    retry(async () => {
      const seen = revision;
      await new Promise((resolve) => setTimeout(resolve, 1));
      if (revision !== seen) return again;
      return ++revision;
    }, never);
  const answers = await Promise.all(Array.from({ length: 60 }, bump));
  expect(answers.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 60 }, (_, index) => index + 1));
});
