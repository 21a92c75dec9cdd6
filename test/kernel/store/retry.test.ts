import { describe, expect, onTestFinished, test } from 'vitest';
import { createGroup } from '../../../src/fleet/operation/create-group.ts';
import type { Operation } from '../../../src/kernel/operation.ts';
import { isProblem, problem } from '../../../src/kernel/problem.ts';
import { publishPrompt } from '../../../src/phase/operation/publish-prompt.ts';
import { transitionToNextPhase } from '../../../src/phase/operation/transition-to-next-phase.ts';
import { makeBench } from '../../setup/context.ts';
import { again, retry } from '../../../src/kernel/store/retry.ts';

const never = () => problem.STORE_BUSY({ what: 'nobody' });

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
    async () => problem.STORE_BUSY({ what: `row ${tries}` }),
  );
  await expect(attempt).rejects.toMatchObject({ code: 'STORE_BUSY', params: { what: 'row 100' } });
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

test('those who lost at the same row try one after the other, and a failure lets the next one go on', async () => {
  let inside = 0;
  let most = 0;
  const one = (index: number) => {
    let tries = 0;
    return retry(
      async () => {
        if (tries++ === 0) return again;
        most = Math.max(most, ++inside);
        await new Promise((resolve) => setTimeout(resolve, 1));
        inside--;
        if (index === 3) throw new TypeError('no such column');
        return index;
      },
      never,
      'the row',
    );
  };
  const all = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => one(index)));
  expect(all.map((done) => done.status)).toEqual(
    Array.from({ length: 10 }, (_, index) => (index === 3 ? 'rejected' : 'fulfilled')),
  );
  expect(most).toBe(1);
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

describe('whoever is overtaken each time is told so by a code, in both languages, and not of a fault of ours', () => {
  test.each<[Operation, object]>([
    [createGroup, { description: 'a group' }],
    [transitionToNextPhase, { currentPhase: 'phase0', result: { status: 'completed', outputFiles: [] } }],
    [publishPrompt, { prompt: 'phase0', content: 'Say hello.' }],
  ])('$name', async (operation, input) => {
    const bench = await makeBench('sqlite');
    onTestFinished(() => bench.close());
    const context = await bench.context('human');
    const overtaken = { ...context.store, commit: () => Promise.resolve({ done: false as const, conflict: 0 }) };
    const refused = await operation
      .run({ ...context, store: overtaken }, operation.input.parse(input))
      .catch((error: unknown) => error);
    if (!isProblem(refused)) throw refused;
    expect(refused.code).toBe('STORE_BUSY');
    expect(refused.in('en')).toContain('Try again');
    expect(refused.in('ja')).toContain('もう一度');
  });
});
