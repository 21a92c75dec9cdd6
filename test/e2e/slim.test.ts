import { describe, expect } from 'vitest';
import { inOneWorld } from './world.ts';

/** Bytes of name, description and input schema: what every session of a model pays before its first word. */
const most = { gate: 5000, upstream: 2000, fleet: 7000, work: 12_300, phase: 5000 };

describe('tools/list', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test('is as small as was promised, for each toolset and for all', async ({ world }) => {
      const sizeOf = async (toolsets: string) => {
        const client = await world.client({ args: ['--toolsets', toolsets] });
        const { tools } = await client.listTools();
        expect(tools.length).toBeGreaterThan(1);
        const told = tools.map(({ name, description, inputSchema }) =>
          JSON.stringify({ name, description, inputSchema }),
        );
        return Buffer.byteLength(told.join(''));
      };
      for (const [toolset, bytes] of Object.entries(most))
        expect(await sizeOf(toolset), toolset).toBeLessThanOrEqual(bytes);
      expect(await sizeOf(Object.keys(most).join(','))).toBeLessThanOrEqual(25_000);
    });
  });
});
