import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import { configure } from './upstream-fixture.ts';
import { type World, inOneWorld, node } from './world.ts';

const missing = getBubblewrap();
if (missing !== undefined) {
  if (process.env['CI'] !== undefined) throw new Error(`upstreams in the sandbox cannot be tested: ${missing}`);
  process.stderr.write(`\n*** upstreams in the sandbox ARE NOT TESTED: ${missing} ***\n\n`);
}

/** A server that marks, outside of the project, that it could. */
const server = (trace: string) => `import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
try { writeFileSync(${JSON.stringify(trace)}, ''); } catch {}
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (id === undefined) continue;
  const result = method === 'initialize'
    ? { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo: { name: 'own', version: '1' } }
    : method === 'tools/list'
      ? { tools: [{ name: 'where', inputSchema: { type: 'object' } }] }
      : { content: [{ type: 'text', text: String(process.env.SEKISHO_SANDBOX) }] };
  process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
}
`;

const where = async (world: World, env: Readonly<Record<string, string>> = {}) => {
  const client = await world.client({ env });
  return (await world.call('where', {}, client)).text;
};

describe.skipIf(missing !== undefined)('an upstream where a sandboxed agent has worked', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test('is shut in if its program lies in the project', async ({ world }) => {
      const trace = join(world.project, '../trace');
      world.write('server.mjs', server(trace));
      configure(world, { own: { command: [node, './server.mjs'] } });
      expect(await where(world)).toBe('undefined');
      expect(existsSync(trace)).toBe(true);
      rmSync(trace);
      mkdirSync(world.place.state, { recursive: true });
      writeFileSync(join(world.place.state, 'sandboxed'), '');
      expect(await where(world)).toBe('bwrap');
      expect(existsSync(trace)).toBe(false);
      // No sandbox: it is not started, and the answer says why.
      const home = join(world.project, 'home');
      mkdirSync(home);
      expect(await where(world, { HOME: home })).toContain('contains your home');
      expect(existsSync(trace)).toBe(false);
    });

    test('is the user’s own if it lies elsewhere', async ({ world }) => {
      const elsewhere = join(world.project, '../server.mjs');
      writeFileSync(elsewhere, server(join(world.project, '../trace')));
      configure(world, { own: { command: [node, elsewhere] } }, { sandbox: 'required' });
      expect(await where(world)).toBe('undefined');
    });

    test('names the sandbox when it fails in there', async ({ world }) => {
      world.write('broken.mjs', 'process.exit(4);\n');
      configure(world, { own: { command: [node, 'broken.mjs'] } }, { sandbox: 'required' });
      const { text: said } = await world.call('activate');
      expect(said).toContain('it ended with exit code 4 in the sandbox (bwrap)');
    });
  });
});
