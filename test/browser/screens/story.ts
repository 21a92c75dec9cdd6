import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { registerRoot } from '../../../src/config/register.ts';
import { fixtures } from '../../e2e/fleet-world.ts';
import { type Office, openOffice } from '../../e2e/work-world.ts';
import { type World, node } from '../../e2e/world.ts';
import { type Script, scripts } from './script.ts';

/** Where a picture is taken: ids that addresses need. */
export interface Told {
  readonly release: string;
  readonly feature: string;
  readonly task: string;
  readonly shop: string;
  readonly identity: string;
  readonly group: string;
  readonly agent: string;
}

export type Lang = 'en' | 'ja';

/** A small shop that a few agents work on: everything that a screen can show, made as people and agents make it. */
export async function tell(world: World, lang: Lang): Promise<Told> {
  const script = scripts[lang];
  furnish(world, script);
  const office = await openOffice(world);
  const runs = await walk(world, office, script);
  const work = await staff(world, office, script);
  const fleet = await hire(world, script);
  await publish(office, script);
  await office.admin('upstream.status', { check: true });
  await world.call('activate', { upstream: 'files' });
  for (const path of ['src/cart.mjs', 'src/price.mjs', 'README.md'])
    await world.call('files_read_text_file', { path: join(world.project, path) });
  await world.call('browser_browser_tabs', { action: 'list' });
  await settle(world, script);
  return { ...runs, ...work, ...fleet };
}

/** Other projects of the same person, for the overview. */
async function settle(world: World, { neighbours }: Script): Promise<void> {
  for (const [name, titles] of Object.entries(neighbours)) {
    const cwd = join(world.project, '..', name);
    mkdirSync(join(cwd, '.sekisho'), { recursive: true });
    registerRoot(world.place.data, cwd, new Date());
    for (const title of titles)
      await world.cli(
        ['gate', 'create-run', '--process-id', 'bug-fix', '--context', JSON.stringify({ title }), '--json'],
        { cwd },
      );
  }
}

const require = createRequire(import.meta.url);

function furnish(world: World, script: Script): void {
  const packageOf = (name: string) => dirname(require.resolve(`${name}/package.json`));
  const roles = script.roles.map(({ id, name, description, permissions, steps }) => {
    world.write(`../scripts/${id}.json`, JSON.stringify(steps(join(world.project, '..'))));
    const command = [node, join(fixtures, 'scripted.mjs'), join(world.project, `../scripts/${id}.json`)];
    return { id, name, description, permissions, cli: 'command', command };
  });
  const upstreams = {
    files: {
      command: [node, join(packageOf('@modelcontextprotocol/server-filesystem'), 'dist/index.js'), world.project],
      skill: 'files',
    },
    browser: { command: [node, join(packageOf('@playwright/mcp'), 'cli.js'), '--headless'], skill: 'browser' },
    design: { url: 'http://127.0.0.1:4401/mcp' },
  };
  world.write('.gitignore', 'note.md\n.sekisho/sekisho.db*\n');
  world.write('README.md', '# Tea shop\n');
  world.write('src/price.mjs', 'export const total = (items) => items.reduce((sum, one) => sum + one.price, 0);\n');
  world.write('src/cart.mjs', 'export const add = (cart, item) => [...cart, item];\n');
  world.write('test/price.test.mjs', "import test from 'node:test';\ntest('prices', () => {});\n");
  for (const { id, text } of script.processes) world.write(`.sekisho/processes/${id}.yaml`, text);
  const config = { test: [node, '--test'], fleet: { maxConcurrent: 6 }, roles, upstreams };
  world.write('.sekisho/config.yaml', JSON.stringify(config, null, 2));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=Ann', '-c', 'user.email=ann@example.org', ...args], { cwd: world.project });
  git('init', '-q');
  git('add', '.');
  git('commit', '-qm', 'The shop');
}

/** Runs in every stage of their life; the last one is what waits for a decision. */
async function walk(world: World, office: Office, script: Script) {
  const begin = async (process_id: string, goal: string): Promise<string> => {
    const { value, text } = await world.call('state_gate.create_run', { process_id, context: { goal } });
    if (value['run_id'] === undefined) throw new Error(text);
    return String(value['run_id']);
  };
  const emit = async (run: string, event: string, files: Readonly<Record<string, string>> = {}, payload?: object) => {
    for (const [path, text] of Object.entries(files)) world.write(path, text);
    const { value } = await world.call('state_gate.get_state', { run_id: run });
    const reply = await world.call('state_gate.emit_event', {
      run_id: run,
      event_name: event,
      expected_revision: value['revision'],
      idempotency_key: `${run}-${value['revision']}`,
      artifact_paths: Object.keys(files),
      ...(payload !== undefined && { payload }),
    });
    if (reply.isError) throw new Error(`${event}: ${reply.text}`);
  };
  await office.admin('trust', { files: ['.sekisho/processes/page-text.yaml'] });
  const old = await begin('page-text', script.goals.old);
  await emit(old, 'submit', { 'page.md': script.pages.old });
  await office.admin('approve', { run_id: old });
  for (const { goal, text } of script.pages.waiting) {
    const run = await begin('page-text', goal);
    await emit(run, 'submit', { 'page.md': text });
  }
  const feature = await begin('explore-plan-implement-verify', script.goals.feature);
  await emit(feature, 'submit_exploration', { 'exploration.md': script.files.exploration });
  await emit(feature, 'submit_plan', { 'plan.md': script.files.plan });
  await emit(feature, 'replan', {}, { reason: script.files.replan });
  await emit(feature, 'submit_plan', { 'plan.md': `${script.files.plan}${script.files.planMore}` });
  const release = await begin('release', script.goals.release);
  await emit(release, 'submit_notes', { 'release-notes.md': script.files.notes });
  await office.admin('reject', { run_id: release, comment: script.files.reject });
  await emit(release, 'submit_notes', { 'release-notes.md': script.files.notesAgain });
  return { feature, release };
}

async function staff(world: World, office: Office, script: Script) {
  const shop = await office.project(script.project);
  await office.project(script.otherProject);
  const agents = new Map<string, Awaited<ReturnType<Office['agent']>>>();
  for (const name of ['Mika', 'Otto', 'Rin']) agents.set(name, await office.agent(name, shop));
  const who = (name: string) => agents.get(name) ?? { id: '', passkey: '' };
  const ids = new Map<string, string>();
  for (const { key, title, status, assignee, after = [], ...more } of script.tasks) {
    const waits = after.map((one) => ids.get(one) ?? '');
    const given = { ...more, ...(assignee !== undefined && { assignee_id: who(assignee).id }), depends_on: waits };
    ids.set(key, await office.task(shop, title, status, given));
  }
  const task = ids.get('checkout') ?? '';
  const client = await world.client();
  const session_token = await office.login(who('Mika'), shop, client);
  const call = async (tool: string, input: object) => {
    const reply = await world.call(tool, input, client);
    if (reply.isError) throw new Error(`${tool}: ${reply.text}`);
    return reply.value;
  };
  await call('get_my_task', { session_token });
  const started = await call('report_execution_start', { session_token, task_id: task });
  world.write('.sekisho/logs/checkout-1.log', script.executionLog);
  await call('report_execution_complete', {
    session_token,
    execution_id: started['execution_id'],
    exit_code: 1,
    duration_seconds: 184,
    log_file_path: '.sekisho/logs/checkout-1.log',
  });
  await call('report_execution_start', { session_token, task_id: task });
  await call('save_context', { task_id: task, ...script.context });
  await office.admin('create_handoff', {
    task_id: ids.get('search') ?? '',
    from_agent_id: who('Rin').id,
    to_agent_id: who('Otto').id,
    summary: script.handoff,
  });
  return { task, shop, identity: who('Mika').id };
}

async function hire(world: World, script: Script) {
  const start = async (description: string, mode: string) =>
    String((await world.call('create_group', { description, mode }))['value']['groupId']);
  const group = await start(script.groups.checkout, 'concurrent');
  const { value, text } = await world.call('run_agents', { groupId: group, agents: script.groups.agents });
  const agents = (value['agents'] ?? []) as { agentId: string }[];
  if (agents.length === 0) throw new Error(text);
  const nightly = await start(script.groups.nightly, 'sequential');
  await world.call('run_sequential', { groupId: nightly, stages: script.groups.stages });
  const ending = agents.slice(0, 3).map((one) => one.agentId);
  await world.call('wait_agent', { agentIds: ending, mode: 'all', timeout_ms: 60_000 });
  return { group, agent: agents[3]?.agentId ?? '' };
}

async function publish(office: Office, script: Script): Promise<void> {
  for (const { prompt, versions } of script.prompts)
    for (const [index, { content, note }] of versions.entries())
      await office.admin('publish_prompt', { prompt, content, note, ...(index > 0 && { expected_version: index }) });
  await office.admin('label_prompt', { prompt: 'code-review', label: 'staging', version: 3 });
  await office.admin('label_prompt', { prompt: 'code-review', label: 'production', version: 2 });
}
