import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect } from 'vitest';
import { rawHttp, rawServer } from './raw.ts';
import { requires } from './requirements.ts';
import { until } from '../setup/until.ts';
import { story } from './story.ts';
import { configure, fixture, notes, startHttp } from './upstream-fixture.ts';
import { inOneWorld } from './world.ts';

const anything = { '~standard': { version: 1, vendor: 'test', validate: (value: unknown) => ({ value }) } } as never;

/** A page as it comes; the client's own method would fetch the others too. */
async function page(
  client: Client,
  cursor?: string,
): Promise<{ resources: { uri: string }[]; nextCursor?: string | undefined }> {
  return client.request({ method: 'resources/list', params: { ...(cursor !== undefined && { cursor }) } }, anything);
}

const surfaces = ['stdio', 'http'] as const;

describe.each(surfaces)('what is served (%s)', (surface) => {
  inOneWorld(surface, 'sqlite', (test) => {
    story(test, 'toolsets of the configuration', (clause) => {
      clause(requires('common.toolsets.everywhere'), async ({ world }) => {
        world.write('.sekisho/config.yaml', JSON.stringify({ toolsets: ['work'] }));
        const client = await world.client();
        const { tools } = await client.listTools();
        expect(tools.map((one) => one.name)).toContain('get_my_task');
        expect(tools.map((one) => one.name)).not.toContain('state_gate.get_state');
        await expect(client.callTool({ name: 'state_gate.list_runs' })).rejects.toThrow('Unknown tool');
        const { resourceTemplates } = await client.listResourceTemplates();
        expect(resourceTemplates.map((one) => one.uriTemplate).filter((uri) => uri.includes('run'))).toEqual([]);
        const { prompts } = await client.listPrompts();
        expect(prompts.map((one) => one.name).toSorted()).toEqual([
          'context_summary',
          'handoff_template',
          'task_start',
        ]);
        expect(client.getInstructions()).toContain('get_my_task');
        expect(client.getInstructions()).not.toContain('get_state');
        const refused = await world.cli(['gate', 'list-runs', '--json']);
        expect(refused.code).toBe(1);
        expect(refused.stdout).toContain('toolset gate is switched off here');
        expect((await world.cli(['work', 'list-tasks', '--json'])).stdout).not.toContain('switched off');
        expect((await world.cli(['gate', 'list-runs', '--json', '--toolsets', 'gate'])).code).toBe(0);
        const { url, token } = await world.daemon();
        const at = (path: string) =>
          rawHttp(`${url}${path}?project=${world.project}`, { headers: { Authorization: `Bearer ${token('agent')}` } });
        expect((await at('/prompts')).status).toBe(404);
        expect((await at('/health/upstreams')).status).toBe(404);
      });
    });

    story(test, 'everything', (clause) => {
      clause(requires('common.resources.pages'), async ({ world }) => {
        world.write('notes.txt', 'x');
        configure(world, { plain: { command: fixture('plain') } });
        const client = await world.client();
        // A list does not wait long for an upstream that it knows nothing of.
        const first = await until(
          'the upstream’s are there',
          () => page(client),
          ({ resources }) => resources.some((one) => one.uri === 'fixture://notes'),
        );
        expect(first.nextCursor).toBeUndefined();
        const started = Array.from({ length: 40 }, () =>
          world.call('state_gate.create_run', { process_id: 'explore-plan-implement-verify' }, client),
        );
        await Promise.all(started);
        const seen = new Set<string>();
        for (let cursor: string | undefined, more = true; more;) {
          const { resources, nextCursor } = await page(client, cursor);
          expect(resources.length).toBeGreaterThan(0);
          for (const { uri } of resources) seen.add(uri);
          cursor = nextCursor;
          more = cursor !== undefined;
        }
        expect([...seen].filter((uri) => uri.includes('run-')).length).toBeGreaterThanOrEqual(40);
        expect(seen).toContain('fixture://notes');
      });

      clause(requires('common.results.agree'), async ({ world }) => {
        world.write('.sekisho/prompts/one.md', 'Do {{project.name}}.\n');
        const answers = await Promise.all([
          world.call('inject_phase_prompt', { phase: 'phase0' }),
          world.call('get_phase_context', { phase: 'phase0' }),
          world.call('state_gate.list_processes'),
          world.call('list_agents'),
        ]);
        for (const { raw, text } of answers) {
          const structured = raw['structuredContent'] as Record<string, unknown> | undefined;
          if (structured === undefined) expect(raw['isError']).toBe(true);
          else expect([structured, ...Object.values(structured)].map(wording)).toContain(text);
        }
        expect(answers.filter(({ isError }) => !isError).length).toBeGreaterThanOrEqual(2);
      });
    });

    test(requires('common.instructions'), async ({ world }) => {
      const plain = { command: fixture('plain') };
      configure(world, { penpot: { ...plain, skill: 'penpot' }, secret: { ...plain, phrase: 'x' }, open: plain });
      const all = (await world.client()).getInstructions() ?? '';
      expect(all).toContain('state_gate.get_state');
      expect(all).toContain('The tools of "penpot" are locked: load the skill "penpot" (/penpot), then call activate.');
      expect(all).toContain('The tools of "secret" are locked: call activate.');
      expect(all).not.toContain('"open"');
      expect(all.split('\n').length).toBeLessThan(10);
      const only = await world.client({ args: ['--toolsets', 'upstream'], path: '/mcp/upstream' });
      expect(only.getInstructions()).toContain('/penpot');
      expect(only.getInstructions()).not.toContain('get_state');
      const { tools } = await only.listTools();
      const ours = tools.map((one) => one.name).filter((name) => !/^(penpot|secret|open)_/.test(name));
      expect(ours.toSorted()).toEqual(['activate', 'upstream.status']);
      const cursor = await world.client({ name: 'cursor-vscode' });
      expect(cursor.getInstructions()).toContain('state_gate_get_state');
      const modern = await world.client({ options: { versionNegotiation: { mode: { pin: '2026-07-28' } } } });
      expect(modern.getInstructions()).toContain('/penpot');
    });

    test(requires('upstream.activate.init-missing'), async ({ world }) => {
      const log = join(world.project, 'fixture.log');
      const init = { tool: 'execute_code', argument: 'code', script: 'nowhere.js' };
      const upstream = { command: fixture('plain'), env: { FIXTURE_LOG: log }, init };
      configure(world, { gated: { ...upstream, skill: 's' }, open: upstream });
      const { text } = await world.call('activate', { upstream: 'gated' });
      expect(text).toContain('init script nowhere.js of upstream "gated" cannot be read');
      expect(text).toContain('ENOENT');
      expect(text).not.toContain('It said');
      const called = await world.call('open_add', { a: 1, b: 2 });
      expect(called.text).toContain('init script of upstream "open" cannot be read');
      expect(called.text).not.toContain('It said');
      expect(notes(log).filter((line) => line.startsWith('code'))).toEqual([]);
    });
  });
});

inOneWorld('stdio', 'sqlite', (test) => {
  test(requires('upstream.flags'), async ({ world }) => {
    const log = join(world.project, 'fixture.log');
    const { port } = await startHttp(['plain', 'http'], { FIXTURE_LOG: log });
    const url = `http://127.0.0.1:${port}/mcp`;
    world.write('init.js', 'prepare();');
    const reach = async (wanted: string, args: readonly string[], env: Record<string, string> = {}) => {
      const server = await rawServer(world, ['--toolsets', 'upstream', ...args], env);
      const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } };
      const { result } = await server.request('initialize', initialize);
      const listed = async () => (await server.request('tools/list'))['result'].tools as { name: string }[];
      const list = await until('it is there', listed, (tools) => tools.some(({ name }) => name === wanted));
      const names = list.map((one) => one.name).filter((name) => name !== 'activate' && name !== 'upstream.status');
      const call = async (name: string, input: object) =>
        (await server.request('tools/call', { name, arguments: input }))['result'].content[0].text as string;
      return { instructions: String(result.instructions), names, call, end: () => server.end() };
    };
    const sum = { a: 1, b: 2 };

    const gated = await reach('add', [
      `--upstream=${url}`,
      '--name=penpot-official',
      '--skill=/penpot',
      '--tools=execute_code,add',
      '--init-script=init.js',
    ]);
    expect(gated.instructions).toContain('load the skill "penpot" (/penpot)');
    expect(gated.names.toSorted()).toEqual(['add', 'execute_code']);
    expect(await gated.call('add', sum)).toContain('"penpot-official" are locked');
    await gated.call('activate', {});
    expect(notes(log)).toContain('code prepare();');
    expect(await gated.call('add', sum)).toBe('3');
    await gated.end();

    const variables = {
      MCP_UPSTREAM: url,
      MCP_SKILL: '',
      MCP_TOOLS: '*',
      MCP_INIT_SCRIPT: 'init.js',
      MCP_NO_INIT: 'true',
    };
    const open = await reach('pid', [], variables);
    expect(open.names).toContain('pid');
    expect(await open.call('add', sum)).toBe('3');
    await open.end();
    expect(notes(log).filter((line) => line.startsWith('code'))).toEqual(['code prepare();']);

    const flagWins = await reach('pid', ['--tools', 'pid'], variables);
    expect(flagWins.names).toEqual(['pid']);
    await flagWins.end();
  });
});

function wording(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
