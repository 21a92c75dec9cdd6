import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { type Home, claudeBinary, codexBinary, configure, makeHome, run, sekisho } from './cli.ts';
import { type Turn, startModel } from './model/model.ts';

const report = (status: string) => ({ status, summary: 'Greeting written', createdFiles: ['hello.txt'] });

/** A user's project with one role, and the scripted model behind it. */
async function fleet(
  role: string,
  script: (project: string) => readonly Turn[],
  environment: (home: Home, url: string) => object,
) {
  const home = makeHome();
  const model = await startModel(script(home.project));
  await configure(home, `roles:\n  - ${role}\n`);
  home.write('existing.txt', 'alpha\n');
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], { cwd: home.project });
  git('init', '-q');
  git('add', 'existing.txt');
  git('commit', '-qm', 'start');
  const env = { ...home.env, ...environment(home, model.url) };
  const cli = async (...args: string[]) => {
    const { stdout, stderr } = await run(process.execPath, [sekisho, 'fleet', ...args, '--json'], {
      cwd: home.project,
      env,
    });
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Record<string, any>;
  };
  return {
    home,
    model,
    async runOne(prompt: string) {
      const { groupId } = await cli('create-group', '--description', 'clients');
      const agents = JSON.stringify([{ role: 'worker', prompt }]);
      const started = await cli('run-agents', '--group-id', groupId, '--agents', agents);
      const { agentId } = started['agents'][0];
      const waited = await cli('wait-agent', '--agent-ids', agentId, '--timeout-ms', '60000');
      expect(waited['timedOut']).toBe(false);
      return { agent: waited['completed'][0] as Record<string, any>, cli };
    },
    async close() {
      await model.close();
      home.close();
    },
  };
}

test('Claude Code runs as an agent, edits files, reports back as itself and is accounted for', async () => {
  const world = await fleet(
    '{ id: worker, cli: claude, model: claude-sonnet-4-5, systemPrompt: Be brief. }',
    (project) => [
      { calls: [{ name: 'Write', input: { file_path: join(project, 'hello.txt'), content: 'hello\n' } }] },
      { calls: [{ name: 'Bash', input: { command: 'echo beta > existing.txt', description: 'edit' } }] },
      { calls: [{ name: 'mcp__sekisho__report_result', input: { ...report('success'), agentId: 'worker-1-0000' } }] },
      { calls: [{ name: 'mcp__sekisho__report_result', input: report('success') }] },
      { text: 'All done.' },
    ],
    (home, url) => ({
      PATH: `${dirname(claudeBinary())}:${home.env['PATH']}`,
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: 'made-up',
      DISABLE_AUTOUPDATER: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
  );
  const { agent, cli } = await world.runOne('Write the greeting.');
  expect(agent).toMatchObject({
    status: 'resultReported',
    model: 'claude-sonnet-4-5',
    exitCode: 0,
    toolCallCount: 4,
    usage: { inputTokens: 500, outputTokens: 100 },
    result: {
      status: 'success',
      summary: 'Greeting written',
      createdFiles: ['hello.txt'],
      editedFiles: ['existing.txt'],
      source: 'report',
    },
  });
  expect(agent['usage'].costUsd).toBeGreaterThan(0);
  expect(readFileSync(join(world.home.project, 'hello.txt'), 'utf8')).toBe('hello\n');
  // A report in another's name is refused.
  expect(world.model.seen.at(3)?.results.at(-1)).toContain('FORBIDDEN');
  expect(world.model.seen.at(4)?.results.at(-1)).toContain('"registered":true');
  const { lines } = await cli('get-agent-log', '--agent-id', agent['agentId']);
  expect(lines.some((line: string) => line.includes('"type":"result"'))).toBe(true);
  await world.close();
});

test('Codex runs as an agent, edits files, reports back as itself and ends with its turn', async () => {
  const world = await fleet(
    '{ id: worker, cli: codex, model: mock-model }',
    () => [
      { calls: [{ name: 'exec_command', input: { cmd: 'echo hello > hello.txt; echo beta > existing.txt' } }] },
      { calls: [{ name: 'report_result', namespace: 'mcp__sekisho', input: report('success') }] },
      { text: 'All done.' },
    ],
    (home, url) => {
      home.write(
        '../.codex/config.toml',
        `model_provider = "mock"\n[model_providers.mock]\nname = "mock"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "MOCK_KEY"\n`,
      );
      return { PATH: `${dirname(codexBinary())}:${home.env['PATH']}`, MOCK_KEY: 'made-up' };
    },
  );
  const { agent } = await world.runOne('Write the greeting.');
  expect(agent).toMatchObject({
    status: 'resultReported',
    toolCallCount: 2,
    usage: { inputTokens: 300, outputTokens: 60 },
    result: {
      status: 'success',
      summary: 'Greeting written',
      createdFiles: ['hello.txt'],
      editedFiles: ['existing.txt'],
      source: 'report',
    },
  });
  await world.close();
});

test('Codex as an agent is denied its shell where the state denies it', async () => {
  const world = await fleet(
    '{ id: worker, cli: codex, model: mock-model }',
    () => [
      { calls: [{ name: 'exec_command', input: { cmd: 'echo hello > hello.txt' } }] },
      { calls: [{ name: 'report_result', namespace: 'mcp__sekisho', input: report('failure') }] },
      { text: 'I may not.' },
    ],
    (home, url) => {
      home.write(
        '.sekisho/processes/careful.yaml',
        'id: careful\nversion: "1"\ninitial_state: think\nstates:\n  - { name: think, tool_permissions: { denied: [Bash, Edit, Write] } }\n  - { name: done, is_final: true }\nevents: [{ name: go }]\ntransitions: [{ from: think, event: go, to: done }]\n',
      );
      home.write(
        '../.codex/config.toml',
        `model_provider = "mock"\n[model_providers.mock]\nname = "mock"\nbase_url = "${url}/v1"\nwire_api = "responses"\nenv_key = "MOCK_KEY"\n`,
      );
      return { PATH: `${dirname(codexBinary())}:${home.env['PATH']}`, MOCK_KEY: 'made-up' };
    },
  );
  const gate = ['gate', 'create-run', '--process-id', 'careful'];
  await run(process.execPath, [sekisho, ...gate], { cwd: world.home.project, env: world.home.env });
  await world.runOne('Write the greeting.');
  expect(world.model.seen.at(1)?.results.at(-1)).toContain('in the state "think"');
  expect(existsSync(join(world.home.project, 'hello.txt'))).toBe(false);
  await world.close();
});

test('an agent whose model answers with an error fails with that reason', async () => {
  const world = await fleet(
    '{ id: worker, cli: claude, model: claude-sonnet-4-5 }',
    () => [],
    (home) => ({
      PATH: `${dirname(claudeBinary())}:${home.env['PATH']}`,
      // Nobody listens there.
      ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
      ANTHROPIC_API_KEY: 'made-up',
      CLAUDE_CODE_MAX_RETRIES: '0',
      DISABLE_AUTOUPDATER: '1',
    }),
  );
  const { agent } = await world.runOne('Write the greeting.');
  expect(agent).toMatchObject({ status: 'failed', result: { status: 'failure', source: 'auto' } });
  expect(agent['result'].errorMessage).toMatch(/API Error|connect|ECONNREFUSED/i);
  await world.close();
});
