import { copyFileSync, mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { asPerson, claudeBinary, configure, makeHome, run, sekisho } from './cli.ts';
import { type Seen, type Turn, startModel } from './model/model.ts';

type Answer = Record<string, any>;

const tool = (name: string) => `mcp__sekisho__${name}`;
const last = (seen: Seen): Answer => JSON.parse(seen.results.at(-1) ?? '{}') as Answer;
const first = (seen: Seen): Answer => JSON.parse(seen.results[0] ?? '{}') as Answer;
const then =
  (name: string, input: (seen: Seen) => object): Turn =>
  (seen) => ({ calls: [{ name: tool(name), input: input(seen) }] });
const token = (seen: Seen) => ({ session_token: first(seen)['session_token'] as string });

test('Claude Code started by the Runner hands its task to a second one, whose evidence completes it', async () => {
  const home = makeHome();
  const who = (agent_id: string) => ({ agent_id, project_id: 'prj_site' });
  const report = join(home.project, 'report.md');
  const model = await startModel([
    then('authenticate', () => who('agt_ann')),
    then('get_my_task', token),
    then('create_handoff', (seen) => ({
      task_id: last(seen)['task'].task_id as string,
      from_agent_id: 'agt_ann',
      to_agent_id: 'agt_bob',
      summary: 'The report is missing',
    })),
    then('logout', token),
    { text: 'Handed over.' },
    then('authenticate', () => who('agt_bob')),
    then('get_my_task', token),
    then('accept_handoff', (seen) => ({
      handoff_id: last(seen)['task'].handoff.handoff_id as string,
      agent_id: 'agt_bob',
    })),
    then('report_completed', (seen) => ({ ...token(seen), result: 'success' })),
    { calls: [{ name: 'Write', input: { file_path: report, content: 'It works.\n' } }] },
    then('state_gate_emit_event', () => ({
      event_name: 'submit',
      expected_revision: 0,
      idempotency_key: 'report',
      artifact_paths: ['report.md'],
    })),
    then('report_completed', (seen) => ({ ...token(seen), result: 'success', summary: 'Reported' })),
    { text: 'Finished.' },
  ]);
  const env = {
    ...home.env,
    PATH: `${dirname(claudeBinary())}:${home.env['PATH']}`,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'made-up',
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  const cli = async (...args: string[]): Promise<Answer> => {
    const line = [sekisho, ...args, '--json'];
    const { stdout, stderr } = await run(process.execPath, line, { cwd: home.project, env: { ...env, ...asPerson } });
    if (stdout === '') throw new Error(stderr);
    return JSON.parse(stdout) as Answer;
  };
  try {
    mkdirSync(join(home.project, '.sekisho', 'processes'), { recursive: true });
    const verified = join(import.meta.dirname, '../fixtures/processes/verified.yaml');
    copyFileSync(verified, join(home.project, '.sekisho', 'processes', 'verified.yaml'));
    await cli('admin', 'create-project', '--name', 'Site', '--working-directory', '.', '--id', 'prj_site');
    const passkeys: Record<string, string> = {};
    for (const id of ['agt_ann', 'agt_bob']) {
      const made = await cli('admin', 'create-agent', '--name', id, '--ai-type', 'claude', '--id', id);
      passkeys[id] = made['passkey'] as string;
      await cli('admin', 'assign-agent', '--project-id', 'prj_site', '--agent-id', id);
    }
    await configure(home, `runner: { passkeys: ${JSON.stringify(passkeys)} }\n`);
    const task = [
      '--project-id',
      'prj_site',
      '--title',
      'Report',
      '--assignee-id',
      'agt_ann',
      '--process-id',
      'verified',
    ];
    const { task_id: id } = await cli('admin', 'create-task', ...task);
    const move = (status: string) => cli('work', 'update-task-status', '--task-id', id as string, '--status', status);
    await move('todo');
    await move('in_progress');
    const round = async (agent: string) => {
      const { started } = await cli('runner', '--once');
      expect(started).toMatchObject([{ agentId: agent, projectId: 'prj_site' }]);
      const instance = started[0].instance as string;
      await cli('fleet', 'wait-agent', '--agent-ids', instance, '--timeout-ms', '60000');
      const ended = await cli('fleet', 'get-agent-status', '--agent-id', instance);
      expect(ended).toMatchObject({ status: 'completed', exitCode: 0 });
    };
    await round('agt_ann');
    await round('agt_bob');
    const { task: done } = await cli('work', 'get-task', '--task-id', id as string);
    expect(done).toMatchObject({ status: 'done', assignee_id: 'agt_bob', summary: 'Reported' });
    // It was told to wait with its report until the evidence was there, and no passkey passed through a model.
    const told = model.seen.flatMap((one) => one.results).join('\n');
    expect(told).toContain('PROCESS_INCOMPLETE');
    for (const passkey of Object.values(passkeys)) expect(JSON.stringify(model.seen)).not.toContain(passkey);
  } finally {
    await model.close();
    home.close();
  }
}, 180_000);
