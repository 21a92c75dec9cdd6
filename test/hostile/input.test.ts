import { describe, expect } from 'vitest';
import { envelope, initializeParams, rawHttp, rawServer } from '../e2e/raw.ts';
import { requires } from '../e2e/requirements.ts';
import { inOneWorld, inTwoWorlds } from '../e2e/world.ts';
import { row } from '../setup/security.ts';

const deep = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const deepCall = (id: number, meta: object = {}) =>
  `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"get_task","arguments":{"task_id":${deep(5000)}},"_meta":${JSON.stringify(meta)}}}`;

const odd = [
  ['a\0b', /NUL/],
  ['a\uD800b', /surrogate/],
  ['a\uDC00', /surrogate/],
] as const;

inTwoWorlds(`${row('server.text')} text that no database keeps`, (test) => {
  test(`${requires('common.failures.text')} (every field that an agent can send)`, async ({ world }) => {
    const { tools } = await (await world.client()).listTools();
    const fields = tools.flatMap(({ name, inputSchema }) =>
      Object.keys(inputSchema.properties ?? {}).map((field) => [name, field] as const),
    );
    expect(fields.length).toBeGreaterThan(80);
    for (const [tool, field] of fields) {
      const reply = await world.call(tool, { [field]: 'a\0b' });
      expect([tool, field, reply.isError, reply.text]).toEqual([tool, field, true, expect.stringMatching(/NUL/)]);
    }
  });

  test(`${requires('common.failures.text')} (each kind, in values and keys at any depth, with its envelope)`, async ({
    world,
  }) => {
    for (const [text, said] of odd) {
      const attempts = [
        ['create_group', { description: text }, 'VALIDATION_ERROR'],
        ['state_gate.create_run', { process_id: text }, 'INVALID_PAYLOAD'],
        ['state_gate.create_run', { process_id: 'x', context: { a: { [text]: 1 } } }, 'INVALID_PAYLOAD'],
        ['get_task', { task_id: text }, 'VALIDATION_ERROR'],
        ['save_context', { task_id: 'x', next_steps: [{ a: [text] }] }, 'VALIDATION_ERROR'],
        ['inject_phase_prompt', { phase: text }, 'VALIDATION_ERROR'],
      ] as const;
      for (const [tool, input, code] of attempts) {
        const reply = await world.call(tool, input);
        const { error } = reply.value;
        const found: unknown = typeof error === 'object' ? error.code : reply.value['code'];
        expect([tool, reply.isError, found]).toEqual([tool, true, code]);
        expect(reply.text).toMatch(said);
      }
      if (world.surface === 'http') {
        const reply = await world.call('create_project', { name: text }, await world.client({ role: 'human' }));
        expect([reply.isError, reply.value['code']]).toEqual([true, 'VALIDATION_ERROR']);
      }
    }
    const fine = await world.call('create_group', { description: '関所 🚧 \u200D' });
    expect([fine.isError, fine.text]).toEqual([false, expect.stringContaining('groupId')]);
  });
});

describe(`${row('server.depth')} JSON of 5,000 levels`, () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test(`${requires('common.failures.depth')} (stdio, both eras)`, async ({ world }) => {
      for (const [era, meta] of [
        ['2025', {}],
        ['2026', envelope],
      ] as const) {
        const server = await rawServer(world);
        if (era === '2025') await server.request('initialize', initializeParams('2025-11-25'));
        else await server.request('server/discover', { _meta: envelope });
        const answer = new Promise<string>((done) => {
          server.process.stdout?.on('data', (chunk: Buffer) => chunk.includes('"id":77') && done(chunk.toString()));
        });
        server.write(deepCall(77, meta));
        expect(await answer).toMatch(/deeper than 200 levels/);
        expect(await server.request('tools/list', { _meta: meta })).toHaveProperty('result.tools');
        await server.end();
      }
    });

    test(`${requires('common.failures.depth')} (command line, configuration, definition, hook)`, async ({ world }) => {
      const flag = await world.cli([
        'gate',
        'create-run',
        '--process-id',
        'x',
        '--context',
        `{"a":${deep(5000)}}`,
        '--json',
      ]);
      expect(flag.stdout).toMatch(/INVALID_PAYLOAD.*deeper than 200 levels/);
      const hook = await world.cli(['hook', 'pre-tool-use', '--client', 'claude'], {
        input: `{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"a":${deep(5000)}}}`,
      });
      expect(hook.stderr).toMatch(/deeper than 200 levels/);
      for (const levels of [1000, 5000, 50_000]) {
        world.write('deep.yaml', `process: { id: deep, version: "1", name: ${deep(levels)} }\n`);
        const lint = await world.cli(['gate', 'lint', 'deep.yaml']);
        expect([levels, lint.code, lint.stdout + lint.stderr]).toEqual([
          levels,
          1,
          expect.stringMatching(/deeper than 200 levels/),
        ]);
      }
      for (const levels of [1000, 5000, 50_000]) {
        world.write('.sekisho/config.yaml', `processes: ${deep(levels)}\n`);
        const outcome = await world.cli(['work', 'list-tasks']);
        expect([levels, outcome.code, outcome.stderr]).toEqual([
          levels,
          2,
          expect.stringMatching(/config\.yaml.*deeper than 200 levels/),
        ]);
      }
    });
  });

  inOneWorld('http', 'sqlite', (test) => {
    test(`${requires('common.failures.depth')} (HTTP, both eras, hook)`, async ({ world }) => {
      const { url, token } = await world.daemon();
      const headers = {
        Authorization: `Bearer ${token('agent')}`,
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
      };
      const query = `?project=${encodeURIComponent(world.project)}`;
      for (const [version, meta] of [
        ['2025-11-25', {}],
        ['2026-07-28', envelope],
      ] as const) {
        const answer = await fetch(`${url}/mcp${query}`, {
          method: 'POST',
          headers: { ...headers, 'MCP-Protocol-Version': version },
          body: deepCall(77, meta),
        });
        expect([version, answer.status, await answer.json()]).toEqual([
          version,
          400,
          { jsonrpc: '2.0', id: 77, error: { code: -32600, message: expect.stringContaining('200 levels') } },
        ]);
      }
      const hook = await fetch(`${url}/hook/claude${query}&event=pre-tool-use`, {
        method: 'POST',
        headers,
        body: `{"hook_event_name":"PreToolUse","tool_name":"Edit","tool_input":{"a":${deep(5000)}}}`,
      });
      expect([hook.status, decodeURIComponent(hook.headers.get('sekisho-note') ?? '')]).toEqual([
        200,
        expect.stringContaining('200 levels'),
      ]);
      const prompt = await rawHttp(`${url}/prompts/phase0${query}`, {
        method: 'PUT',
        headers: { Authorization: `Bearer ${token('human')}` },
        body: { content: 'a\0b' },
      });
      expect([prompt.status, prompt.message['error']?.code]).toEqual([400, 'VALIDATION_ERROR']);
    });
  });
});
