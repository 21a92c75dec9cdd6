import { expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import type { Wire } from '../../src/kernel/relay.ts';
import { Calls } from '../../src/upstream/relay/calls.ts';

const wire: Wire = {
  context: {} as Context,
  signal: new AbortController().signal,
  connection: 'c',
  era: 'modern',
  capabilities: {},
  voice: undefined,
  standing: () => undefined,
  meta: undefined,
  logLevel: undefined,
  notify: async () => undefined,
  request: async () => ({}),
};

test('a question that comes while the client has another one to answer is asked next', async () => {
  const calls = new Calls();
  const { signal } = new AbortController();
  const asked: Promise<object>[] = [];
  const first = await calls.run(wire, async () => {
    asked.push(calls.ask('roots/list', { n: 1 }, signal));
    await asked[0];
    return { answers: await Promise.all(asked) };
  });
  const [key = ''] = Object.keys(first['inputRequests'] as object);
  asked.push(calls.ask('elicitation/create', { n: 2 }, signal));
  const second = await calls.resume(wire, {
    requestState: first['requestState'],
    inputResponses: { [key]: { roots: [] } },
  });
  expect(Object.values(second?.['inputRequests'] as object)).toEqual([
    { method: 'elicitation/create', params: { n: 2 } },
  ]);
  const [next = ''] = Object.keys(second?.['inputRequests'] as object);
  const inputResponses = { [next]: { action: 'accept' } };
  expect(await calls.resume(wire, { requestState: second?.['requestState'], inputResponses })).toEqual({
    answers: [{ roots: [] }, { action: 'accept' }],
  });
});
