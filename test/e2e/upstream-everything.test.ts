import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, onTestFinished } from 'vitest';
import { getPackage } from '../../scripts/get-package.mjs';
import { requires } from './requirements.ts';
import { configure } from './upstream-fixture.ts';
import { inOneWorld } from './world.ts';

const server = [
  process.execPath,
  join(getPackage('@modelcontextprotocol/server-everything', '2026.8.31'), 'dist/index.js'),
];
const anything = {
  '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) },
} as never;

async function ask(client: Client, method: string, params: object = {}): Promise<Record<string, any>> {
  return (await client.request({ method, params } as never, anything)) as Record<string, any>;
}

/** What does not depend on the time of day or on chance. */
const calls: readonly [string, object][] = [
  ['echo', { message: 'Grüße, 世界' }],
  ['get-sum', { a: 20, b: 22 }],
  ['get-tiny-image', {}],
  ['get-annotated-message', { messageType: 'error', includeImage: true }],
  ['get-structured-content', { location: 'New York' }],
  ['get-resource-links', { count: 2 }],
  ['get-resource-reference', { resourceType: 'Blob', resourceId: 1 }],
  ['echo', { wrong: true }],
];

inOneWorld('stdio', 'sqlite', (test) => {
  test(
    requires('upstream.everything'),
    async ({ world }) => {
      const direct = new Client({ name: 'sekisho-test', version: '1.0.0' });
      onTestFinished(() => direct.close());
      configure(world, { everything: { command: server } });
      const [command = '', ...args] = server;
      await direct.connect(new StdioClientTransport({ command, args, stderr: 'ignore' }));
      const proxied = await world.client();

      const own = (await ask(direct, 'tools/list'))['tools'] as { name: string }[];
      const shown = (await ask(proxied, 'tools/list'))['tools'] as { name: string }[];
      expect(shown.filter((tool) => own.some(({ name }) => name === tool.name))).toEqual(own);

      for (const [name, input] of calls) {
        const params = { name, arguments: input };
        expect(await ask(proxied, 'tools/call', params), name).toEqual(await ask(direct, 'tools/call', params));
      }

      const prompts = (await ask(direct, 'prompts/list'))['prompts'] as { name: string }[];
      expect((await ask(proxied, 'prompts/list'))['prompts']).toEqual(expect.arrayContaining(prompts));
      const prompt = { name: 'args-prompt', arguments: { city: 'Kyoto', state: 'Kyoto' } };
      expect(await ask(proxied, 'prompts/get', prompt)).toEqual(await ask(direct, 'prompts/get', prompt));

      const templates = (await ask(direct, 'resources/templates/list'))['resourceTemplates'] as object[];
      expect((await ask(proxied, 'resources/templates/list'))['resourceTemplates']).toEqual(
        expect.arrayContaining(templates),
      );
      const [resource] = (await ask(direct, 'resources/list'))['resources'] as { uri: string }[];
      const read = { uri: resource?.uri };
      expect(await ask(proxied, 'resources/read', read)).toEqual(await ask(direct, 'resources/read', read));

      const beats: unknown[] = [];
      await proxied.callTool(
        { name: 'trigger-long-running-operation', arguments: { duration: 1, steps: 4 } },
        { onprogress: ({ progress }) => beats.push(progress) },
      );
      expect(beats.slice(0, 3)).toEqual([1, 2, 3]);
    },
    120_000,
  );
});
