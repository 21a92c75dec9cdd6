import { expect } from 'vitest';
import { inOneWorld } from './world.ts';
import fc from '../setup/property.ts';

inOneWorld('stdio', 'sqlite', (test) => {
  test('fuzzed arguments of every gate tool are answered in its envelope, and change nothing', async ({ world }) => {
    const client = await world.client();
    const tools = (await client.listTools()).tools.filter((one) => one.name.startsWith('state_gate.'));
    const keys = [...new Set(tools.flatMap((one) => Object.keys(one.inputSchema.properties ?? {})))];
    const head = async () =>
      (await world.cli(['journal', 'list', '--limit', '1', '--json'])).json['entries'].at(-1)?.seq as
        | number
        | undefined;
    // The first call of a server is journalled as its start.
    await world.call('state_gate.list_runs', {}, client);
    const before = await head();
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...tools),
        fc.dictionary(fc.oneof(fc.constantFrom(...keys), fc.string()), fc.jsonValue()),
        async (tool, input) => {
          const reply = await world.call(tool.name, input, client);
          if (reply.isError)
            expect(reply.value).toMatchObject({
              success: false,
              error: { code: expect.any(String), message: expect.any(String) },
            });
          if (reply.isError) expect(reply.value['error'].code).not.toBe('INTERNAL_ERROR');
        },
      ),
      { numRuns: 400 },
    );
    expect(await head()).toBe(before);
    expect((await world.call('state_gate.list_runs', {}, client)).value['runs']).toEqual([]);
  });
});
