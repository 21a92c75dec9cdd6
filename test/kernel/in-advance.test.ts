import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { runInAdvance } from '../../src/kernel/in-advance.ts';
import { entry } from '../../src/kernel/journal.ts';
import type { Policy } from '../../src/kernel/policy.ts';
import { problem } from '../../src/kernel/problem.ts';
import type { Condition, Query } from '../../src/kernel/store.ts';
import type { Bench } from '../setup/context.ts';
import { makeBench } from '../setup/context.ts';

const ask = (number: number): Query => ({ sql: `select ${number} as number`, args: {} });
const refused = problem.STORE_BUSY({ what: 'a refusal' });

describe.each(['sqlite', 'postgres'] as const)(
  'an operation that begins while it is asked about, on %s',
  (database) => {
    let bench: Bench;
    let plain: Context;
    beforeAll(async () => {
      bench = await makeBench(database);
      plain = await bench.context();
    });
    afterAll(() => bench.close());

    /** What went to the store, each time, with what is real behind it. */
    function counted(): { context: Context; reads: (readonly Query[])[] } {
      const reads: (readonly Query[])[] = [];
      const { store } = plain;
      const read: typeof store.read = (queries) => {
        reads.push(queries);
        return store.read(queries);
      };
      return { reads, context: { ...plain, store: { ...store, read } } };
    }

    const saying = (answer: typeof refused | undefined): Policy => ({
      async check({ store }) {
        const [rows] = await store.read([ask(1)]);
        expect(rows).toEqual([{ number: 1 }]);
        return answer;
      },
    });

    const journalled = async () => plain.store.head();

    test('reads with who is asked in one round trip, and goes on', async () => {
      const { context, reads } = counted();
      const run = async ({ store, ...here }: Context) => {
        await Promise.resolve();
        const [two, three] = await store.read([ask(2), ask(3)]);
        await store.commit([], [entry(here, 'it', 'test.done', {})]);
        return [two, three, (await store.read([ask(4)]))[0]];
      };
      const before = await journalled();
      const output = await runInAdvance(saying(undefined), context, { name: 'it', run }, undefined as never);
      expect(output).toEqual([[{ number: 2 }], [{ number: 3 }], [{ number: 4 }]]);
      expect(reads).toEqual([[ask(1), ask(2), ask(3)], [ask(4)]]);
      expect(await journalled()).toBe(before + 1);
    });

    test.for([
      ['after it has read', async ({ store }: Context): Promise<unknown> => store.read([ask(2)])],
      [
        'where it writes first',
        async ({ store, ...here }: Context) => {
          await store.commit([], [entry(here, 'it', 'test.done', {})]);
        },
      ],
      ['where it asks for the end of the journal', async ({ store }: Context): Promise<unknown> => store.head()],
      ['where something else is wrong', async () => Promise.reject(new Error('something else'))],
      ['where it needs no store', async () => undefined],
    ] as const)('is refused %s', async ([, first]) => {
      const { context } = counted();
      const before = await journalled();
      let went = false;
      const run = async (here: Context) => {
        await first(here);
        went = true;
      };
      const running = runInAdvance(saying(refused), context, { name: 'it', run }, undefined as never);
      await expect(running).rejects.toBe(refused);
      expect(went && first.length > 0).toBe(false);
      expect(await journalled()).toBe(before);
    });

    describe('on an assumption', () => {
      const holds: Condition = { sql: 'select 1 as one', args: {}, rows: 1 };
      const fails: Condition = { sql: 'select 1 as one', args: {}, rows: 0 };
      const assuming = (assumption: Condition, answer: typeof refused | undefined): Policy => ({
        ...saying(answer),
        assume: () => assumption,
      });
      const write = ({ store, ...here }: Context) => store.commit([], [entry(here, 'it', 'test.done', {})]);

      test('commits without asking anybody, and is free to go on', async () => {
        const { context, reads } = counted();
        const before = await journalled();
        const run = async (here: Context) => {
          const first = await write(here);
          // By now it would be refused: it has changed that itself.
          const second = await write(here);
          return [first.done, second.done, (await here.store.read([ask(2)]))[0], await here.store.head()];
        };
        const output = await runInAdvance(assuming(holds, refused), context, { name: 'it', run }, undefined as never);
        expect(output).toEqual([true, true, [{ number: 2 }], before + 2]);
        expect(reads).toEqual([[ask(2)]]);
      });

      test('asks where it reads first, and is refused before it has anything', async () => {
        const { context } = counted();
        let went = false;
        const run = async ({ store }: Context) => {
          await store.read([ask(2)]);
          went = true;
        };
        const running = runInAdvance(assuming(holds, refused), context, { name: 'it', run }, undefined as never);
        await expect(running).rejects.toBe(refused);
        expect(went).toBe(false);
      });

      test.for([
        ['gives up', async (here: Context): Promise<unknown> => write(here)],
        [
          'reads again',
          async (here: Context): Promise<unknown> => [await write(here), await here.store.read([ask(2)])],
        ],
        ['commits again', async (here: Context): Promise<unknown> => [await write(here), await write(here)]],
        ['fails for another reason', async (): Promise<unknown> => Promise.reject(new Error('something else'))],
        ['needs no store', async (): Promise<unknown> => undefined],
      ] as const)('is refused where that does not hold and it %s', async ([, run]) => {
        const { context } = counted();
        const before = await journalled();
        const running = runInAdvance(assuming(fails, refused), context, { name: 'it', run }, undefined as never);
        await expect(running).rejects.toBe(refused);
        expect(await journalled()).toBe(before);
      });

      test('hears of a conflict where that does not hold, and goes on when it is permitted', async () => {
        const { context, reads } = counted();
        const before = await journalled();
        const run = async (here: Context) => {
          const first = await write(here);
          const [two] = await here.store.read([ask(2)]);
          return [first, two, (await write(here)).done];
        };
        const output = await runInAdvance(assuming(fails, undefined), context, { name: 'it', run }, undefined as never);
        expect(output).toEqual([{ done: false, conflict: 0 }, [{ number: 2 }], true]);
        expect(reads).toHaveLength(1);
        expect(await journalled()).toBe(before + 1);
      });

      test('says that nobody knows whether it is there, whatever would be said otherwise', async () => {
        const lost = problem.STORE_UNAVAILABLE({ location: 'here', reason: { en: 'gone', ja: '不明' } });
        const { context } = counted();
        const commit = () => Promise.reject(lost);
        const broken = { ...context, store: { ...context.store, commit } };
        const running = runInAdvance(assuming(holds, refused), broken, { name: 'it', run: write }, undefined as never);
        await expect(running).rejects.toBe(lost);
      });
    });

    test('fails as who is asked does', async () => {
      const { context } = counted();
      const broken: Policy = {
        check: ({ store }) => store.read([{ sql: 'select nothing', args: {} }]).then(() => undefined),
      };
      const run = async ({ store }: Context) => store.read([ask(2)]);
      await expect(runInAdvance(broken, context, { name: 'it', run }, undefined as never)).rejects.toThrow(/nothing/);
    });
  },
);
