import { expect, test } from 'vitest';
import type { JsonObject } from '../../src/base/json-object.ts';
import type { Wire } from '../../src/kernel/relay.ts';
import { withInput } from '../../src/surface/mcp/input.ts';

const question = { method: 'elicitation/create', params: { message: 'Your name?' } };
const asking = { resultType: 'input_required', inputRequests: { who: question }, requestState: 'round-1' };

function wire(era: Wire['era'], capabilities: JsonObject, asked: unknown[] = []): Wire {
  return {
    context: {} as Wire['context'],
    signal: new AbortController().signal,
    connection: 'one',
    era,
    capabilities,
    meta: undefined,
    logLevel: undefined,
    voice: undefined,
    standing: () => undefined,
    notify: async () => undefined,
    request: async (method, params) => {
      asked.push({ method, params });
      return { action: 'accept', content: { name: 'Ann' } };
    },
  };
}

const greet = async (params: JsonObject): Promise<JsonObject> =>
  params['inputResponses'] === undefined ? asking : { given: params['inputResponses'], state: params['requestState'] };

test('a 2026-era client gets the questions as the answer', async () => {
  const asked: unknown[] = [];
  expect(await withInput({}, wire('modern', { elicitation: {} }, asked), greet)).toEqual(asking);
  expect(asked).toEqual([]);
});

test('a 2025-era client is asked, and the call is made again with its responses and the state', async () => {
  const asked: unknown[] = [];
  const answer = await withInput({ name: 'greet' }, wire('legacy', { elicitation: {} }, asked), greet);
  expect(asked).toEqual([question]);
  expect(answer).toEqual({ given: { who: { action: 'accept', content: { name: 'Ann' } } }, state: 'round-1' });
});

test('a client that cannot be asked hears what it lacks', async () => {
  await expect(withInput({}, wire('modern', {}), greet)).rejects.toMatchObject({
    code: -32021,
    data: { requiredCapabilities: { elicitation: {} } },
  });
  await expect(withInput({}, wire('legacy', { sampling: {} }), greet)).rejects.toThrow('elicitation/create');
});

test('an answer that never stops asking is ended', async () => {
  await expect(withInput({}, wire('legacy', { elicitation: {} }), async () => asking)).rejects.toThrow('8 rounds');
});
