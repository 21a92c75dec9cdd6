import { spawn } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import { WebSocket } from 'ws';
import { ended, fixtures, furnish, group, printed, start, steps } from './fleet-world.ts';
import { requires } from './requirements.ts';
import { atTerminal } from './terminal.ts';
import { type World, bin, inOneWorld, node } from './world.ts';

type Message = Record<string, any>;

async function connect(world: World, query = ''): Promise<{ messages: Message[]; socket: WebSocket }> {
  const { url, token } = await world.daemon();
  const socket = new WebSocket(`${url.replace('http', 'ws')}/ws?token=${token('agent')}${query}`);
  const messages: Message[] = [];
  socket.on('message', (data: Buffer) => messages.push(JSON.parse(data.toString('utf8')) as Message));
  await new Promise((resolve, reject) => {
    socket.once('open', resolve);
    socket.once('error', reject);
  });
  return { messages, socket };
}

const seen = (messages: Message[], wanted: (message: Message) => boolean) =>
  until(
    'the message',
    () => messages.find(wanted),
    (found) => found !== undefined,
  );

describe('agents as they run', () => {
  inOneWorld('http', 'sqlite', (test) => {
    test.beforeEach(({ world }) => furnish(world));

    test(requires('fleet.ws'), async ({ world }) => {
      const before = await group(world);
      const { messages, socket } = await connect(world);
      const snapshot = await seen(messages, (one) => one['type'] === 'snapshot');
      expect(messages[0]).toBe(snapshot);
      expect(snapshot?.['data'].groups.map((one: Message) => one['groupId'])).toContain(before);
      const report = { status: 'success', summary: 'told' };
      const [id = ''] = await start(world, 'scripted', steps({ call: ['report_result', report] }));
      await ended(world, [id]);
      await seen(messages, (one) => one['type'] === 'agent:result_reported');
      await world.call('delete_group', { groupId: before });
      await seen(messages, (one) => one['type'] === 'group:deleted');
      const types = messages
        .map((one) => one['type'] as string)
        .filter((one) => !['agent:progress', 'role:checked'].includes(one));
      expect(types).toEqual([
        'snapshot',
        'group:created',
        'agent:created',
        'agent:started',
        'agent:reported',
        'agent:ended',
        'agent:result_reported',
        'group:deleted',
      ]);
      const last = messages.find((one) => one['type'] === 'agent:result_reported');
      expect(last?.['data']).toMatchObject({ agentId: id, status: 'success', summary: 'told' });
      socket.close();
    });

    test(`${requires('fleet.ws.shapes')} ${requires('fleet.ws.phases')}`, async ({ world }) => {
      const use = { type: 'assistant', message: { content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }] } };
      const report = { status: 'success', summary: 'told', response: 'the whole', editedFiles: ['a.txt'] };
      const prompt = steps({ stream: use }, { until: 'go' }, { call: ['report_result', report] });
      const { messages, socket } = await connect(world);
      await seen(messages, (one) => one['type'] === 'snapshot');
      const groupId = await group(world);
      const { value } = await world.call('run_sequential', {
        groupId,
        stages: [{ tasks: [{ role: 'scripted', prompt }] }, { tasks: [{ role: 'scripted', prompt: steps() }] }],
      });
      const ids = value['agents'].map((one: Message) => one['agentId'] as string) as string[];
      await seen(messages, (one) => one['type'] === 'agent:progress' && one['data'].currentTool === 'Read');
      await world.call('inject_phase_prompt', { phase: 'phase0' });
      await world.call('transition_to_next_phase', { currentPhase: 'phase0', result: { status: 'completed' } });
      const phases = [
        { type: 'phase:prompt_served', data: { phase: 'phase0' } },
        { type: 'phase:transition', data: { phase: 'phase0', completed: true, nextPhase: 'phase1' } },
      ];
      for (const one of phases) {
        const told = await seen(messages, ({ type }) => type === one.type);
        expect(told).toMatchObject({ ...one, cursor: expect.any(Number), timestamp: expect.any(String) });
      }
      // Whoever comes now sees all of it at once.
      const late = await connect(world);
      const snapshot = await seen(late.messages, (one) => one['type'] === 'snapshot');
      expect(snapshot?.['data'].phases).toMatchObject(phases);
      expect(snapshot?.['data'].groups).toMatchObject([
        { id: groupId, groupId, status: 'active', agentIds: ids, totalStages: 2, currentStageIndex: 0 },
      ]);
      expect(snapshot?.['data'].agents.toReversed()).toMatchObject([
        { agentId: ids[0], status: 'running', prompt, currentTool: 'Read', stageIndex: 0, totalStages: 2 },
        { agentId: ids[1], status: 'queued', currentTool: null, stageIndex: 1, totalStages: 2 },
      ]);
      const role = snapshot?.['data'].roles.find((one: Message) => one['id'] === 'scripted') as Message;
      expect(role).toMatchObject({ cli: 'command', available: true, permissions: 'full' });
      expect(role).toHaveProperty('healthCheck');
      expect(role).toHaveProperty('modelValidation');
      late.socket.close();
      world.write('go', '');
      await ended(world, ids);
      const created = messages.find((one) => one['type'] === 'group:created');
      expect(created?.['data']).toEqual({
        id: groupId,
        groupId,
        description: 'a test',
        mode: null,
        status: 'active',
        createdAt: expect.any(String),
        agentIds: [],
        totalStages: null,
        currentStageIndex: null,
      });
      const reported = await seen(messages, (one) => one['type'] === 'agent:result_reported');
      expect(reported?.['data']).toEqual({
        agentId: ids[0],
        groupId,
        role: 'scripted',
        model: 'default',
        toolCallCount: 1,
        ...report,
        createdFiles: [],
        errorMessage: null,
        duration_ms: expect.any(Number),
        source: 'report',
        timestamp: expect.any(String),
      });
      const stage = await seen(messages, (one) => one['type'] === 'plan:stage_started');
      expect(stage?.['data']).toMatchObject({ groupId, stageIndex: 1, totalStages: 2, agentIds: ids });
      await seen(messages, (one) => one['type'] === 'plan:completed');
      await world.call('delete_group', { groupId });
      const deleted = await seen(messages, (one) => one['type'] === 'group:deleted');
      expect(deleted?.['data']).toEqual({ groupId });
      socket.close();
    });

    test(requires('fleet.ws.resume'), async ({ world }) => {
      const { messages, socket } = await connect(world);
      const snapshot = await seen(messages, (one) => one['type'] === 'snapshot');
      socket.close();
      const missed = await group(world);
      const again = await connect(world, `&cursor=${snapshot?.['cursor']}`);
      const event = await seen(again.messages, (one) => one['type'] === 'group:created');
      // A daemon checks its roles when it has a moment; that is told too, whenever it is.
      expect(again.messages.find((one) => one['type'] !== 'role:checked')).toBe(event);
      expect(event?.['data'].groupId).toBe(missed);
      expect(event?.['cursor']).toBeGreaterThan(snapshot?.['cursor']);
      again.socket.close();
      const stranger = new WebSocket(`${(await world.daemon()).url.replace('http', 'ws')}/ws`);
      await expect(new Promise((_, reject) => stranger.once('error', reject))).rejects.toThrow('401');
    });

    test(requires('fleet.ws.tail'), async ({ world }) => {
      const [id = ''] = await start(world, 'scripted', steps({ print: 'first' }, { until: 'go' }, { print: 'second' }));
      await printed(world, id);
      const { messages, socket } = await connect(world);
      socket.send(JSON.stringify({ type: 'tail', agentId: id }));
      // It does not wait for the end to tell the first line.
      const first = await seen(messages, (one) => one['type'] === 'agent:log');
      expect(first?.['data'].lines).toEqual(['first']);
      world.write('go', '');
      await seen(messages, (one) => one['type'] === 'agent:log' && one['data'].ended === true);
      const logs = messages.filter((one) => one['type'] === 'agent:log');
      expect(logs.flatMap((one) => one['data'].lines as string[])).toEqual(['first', 'second']);
      socket.close();
    });

    test(requires('fleet.watch'), async ({ world }) => {
      const use = { type: 'assistant', message: { content: [{ type: 'tool_use', id: 't', name: 'Read', input: {} }] } };
      const [id = ''] = await start(world, 'scripted', steps({ stream: use }, { print: 'digging' }, { until: 'go' }));
      const child = spawn(node, [bin, 'fleet', 'watch', '--json'], {
        cwd: world.project,
        env: world.env,
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const events: Message[] = [];
      createInterface({ input: child.stdout }).on('line', (line) => events.push(JSON.parse(line) as Message));
      // A beat may fall between the tool and the line.
      const dug = (one: Message) => one['type'] === 'agent:progress' && one['data'].lastActivity === 'digging';
      const shown = await seen(events, dug);
      expect(shown?.['data']).toMatchObject({ agentId: id, status: 'running', toolCallCount: 1 });
      expect(events[0]?.['type']).toBe('snapshot');
      // What a person sees at a terminal.
      const { text } = await atTerminal(world, [], {
        env: { NO_COLOR: '1' },
        shell: (own) => `stty cols 80; ${own} fleet watch --once`,
      });
      expect(text).toMatch(new RegExp(`${id} +running +\\d+:\\d\\d +1 calls.*\\s+digging`));
      for (const line of text.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
      const closed = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGTERM');
      expect(await closed).toBe(0);
      world.write('go', '');
      await ended(world, [id]);
    });
  });
});

describe('roles', () => {
  const withClaude = (world: World) => {
    mkdirSync(join(world.project, 'programs'), { recursive: true });
    copyFileSync(join(fixtures, 'pretend-claude.mjs'), join(world.project, 'programs/claude'));
    return { PATH: `${join(world.project, 'programs')}:${process.env['PATH']}` };
  };
  const roles = `  - { id: good, cli: claude, model: good-model }
  - { id: bad, cli: claude, model: bad-model }
  - { id: absent, cli: command, command: [/nowhere/agent] }
`;
  const without = { PATH: `${join(node, '..')}:/usr/bin:/bin` };
  const find = (value: Message, id: string) => value['roles'].find((one: Message) => one['id'] === id) as Message;

  inOneWorld('stdio', 'sqlite', (test) => {
    test.beforeEach(({ world }) => furnish(world, roles));

    test(requires('fleet.roles'), async ({ world }) => {
      const { value } = await world.call('list_roles', {}, await world.client({ env: without }));
      const ids = value['roles'].map((one: Message) => one['id']);
      for (const id of [
        'impl-code',
        'code-review',
        'text-review',
        'research',
        'impl-test',
        'orchestrator',
        'good',
        'forever',
      ])
        expect(ids).toContain(id);
      expect(find(value, 'forever')).toMatchObject({ available: true, cli: 'command', modelValidation: null });
      expect(find(value, 'impl-code')).toMatchObject({ name: 'Implementer', cli: 'claude', model: 'default' });
    });

    test(requires('fleet.roles.unavailable'), async ({ world }) => {
      const client = await world.client({ env: without });
      const { value } = await world.call('list_roles', {}, client);
      expect(find(value, 'impl-code')).toMatchObject({ available: false, healthCheck: { status: 'failed' } });
      const groupId = await group(world);
      const refusal = await world.call('run_agents', { groupId, agents: [{ role: 'impl-code', prompt: 'x' }] }, client);
      expect(refusal.value).toMatchObject({ error: true, code: 'ROLE_UNAVAILABLE' });
      expect(refusal.value['message']).toContain('"claude"');
      expect(refusal.value['message']).toContain('npm install -g @anthropic-ai/claude-code');
      const absent = await world.call('run_agents', { groupId, agents: [{ role: 'absent', prompt: 'x' }] }, client);
      expect(absent.value['message']).toContain('/nowhere/agent');
      // As soon as the program is there, the role is.
      const now = await world.client({ env: withClaude(world) });
      expect(find((await world.call('list_roles', {}, now)).value, 'impl-code')['available']).toBe(true);
    });

    test(requires('fleet.roles.check'), async ({ world }) => {
      const env = withClaude(world);
      const { json, code } = await world.cli(['fleet', 'check-roles', 'good', 'bad', '--json'], { env });
      expect(code).toBe(1);
      expect(find(json, 'good')).toMatchObject({
        available: true,
        healthCheck: { status: 'passed' },
        modelValidation: { status: 'passed' },
      });
      expect(find(json, 'bad')).toMatchObject({
        available: false,
        healthCheck: { status: 'failed' },
        modelValidation: { status: 'failed', message: expect.stringContaining('bad-model') },
      });
      // Another process knows it without asking anybody.
      const client = await world.client({ env });
      const { value } = await world.call('list_roles', {}, client);
      expect(find(value, 'bad')).toMatchObject({ available: false, modelValidation: { status: 'failed' } });
      const groupId = await group(world);
      const refusal = await world.call('run_agents', { groupId, agents: [{ role: 'bad', prompt: 'x' }] }, client);
      expect(refusal.value).toMatchObject({ code: 'ROLE_UNAVAILABLE', message: expect.stringContaining('bad-model') });
    });

    test(requires('fleet.roles.background'), async ({ world }) => {
      const client = await world.client({ env: withClaude(world) });
      // Checked or not, by then.
      const first = find((await world.call('list_roles', {}, client)).value, 'good');
      expect(first).toMatchObject({ available: true, modelValidation: null });
      const other = await world.client({ env: withClaude(world) });
      const checked = await until(
        'it was checked',
        async () => find((await world.call('list_roles', {}, other)).value, 'good'),
        (one) => one['healthCheck'] !== null,
      );
      // The program was asked, the model was not: that costs a call.
      expect(checked).toMatchObject({ healthCheck: { status: 'passed' }, modelValidation: null });
    });
  });
});
