import { expect, test } from 'vitest';
import { createReplay } from '../../../src/surface/conformance/replay.ts';

const message = (id: number) => ({ jsonrpc: '2.0' as const, id, result: {} });

async function replayed(store: ReturnType<ReturnType<typeof createReplay>>, after: string): Promise<unknown[]> {
  const seen: unknown[] = [];
  await store.replayEventsAfter(after, {
    send: async (_id, one) => {
      seen.push(one);
    },
  });
  return seen;
}

test('a client that comes back gets what it missed of its stream, and nothing of others', async () => {
  const store = createReplay(100)('one');
  // The empty first event of a stream, as the SDK stores it.
  const first = await store.storeEvent('stream', {} as never);
  await store.storeEvent('other', message(1));
  await store.storeEvent('stream', message(2));
  const last = await store.storeEvent('stream', message(3));
  expect(await replayed(store, first)).toEqual([message(2), message(3)]);
  expect(await replayed(store, last)).toEqual([]);
  expect(await store.getStreamIdForEventId?.(first)).toBe('stream');
});

test('an id of another session opens nothing', async () => {
  const replay = createReplay(100);
  const id = await replay('one').storeEvent('stream', message(1));
  await replay('one').storeEvent('stream', message(2));
  expect(await replay('two').getStreamIdForEventId?.(id)).toBeUndefined();
  await expect(replayed(replay('two'), id)).rejects.toThrow('not known');
});

test('only the latest events are kept, whoever they belong to', async () => {
  const replay = createReplay(2);
  const id = await replay('one').storeEvent('stream', message(1));
  await replay('two').storeEvent('stream', message(2));
  await replay('two').storeEvent('stream', message(3));
  await expect(replayed(replay('one'), id)).rejects.toThrow('not known');
});
