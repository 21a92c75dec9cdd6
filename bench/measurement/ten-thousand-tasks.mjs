import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { openHttp, startDaemon } from '../http-client.mjs';
import { makeProject, person as asPerson, personToken } from '../project.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';
import { startStdio } from '../stdio-client.mjs';
import { closeAll } from '../worker-client.mjs';

const agents = 20;
const projects = 5;

/** Every tool of the work toolset on a store with ten thousand tasks. */
export const tenThousandTasks = {
  name: 'ten-thousand-tasks',
  async run({ product, quick }) {
    const tasks = 10_000;
    const project = makeProject();
    const place = { cwd: project.root, env: project.env };
    const daemon = await startDaemon([product.bin, 'up', '--port', '0', '--json'], {
      ...place,
      env: { ...place.env, SEKISHO_PERSON_TOKEN: personToken },
    });
    const person = await openHttp({ url: daemon.url, token: personToken });
    const people = await furnish(person, project.root);
    fill(product, place, people, tasks);
    const agent = startStdio([product.bin, 'mcp'], place);
    const floor = startStdio([product.floor, 'stdio', path.join(project.root, 'floor.db')], place);
    await agent.open();
    await floor.open();
    const options = { rounds: quick ? 100 : 400, warmUp: 20, deadlineMs: quick ? 20_000 : 60_000 };
    const rows = await measure({ person, agent, floor, people }, options);
    const slow = await sessions(agent, people, quick ? 10 : 30);
    await closeAll([agent, floor]);
    person.close();
    await daemon.close();
    return [...rows, ...slow].map((row) => ({ ...row, note: row.note ?? `${tasks.toLocaleString('en')} tasks` }));
  },
};

async function furnish(person, root) {
  const made = [];
  for (let index = 0; index < projects; index += 1)
    await person.call('create_project', { id: `prj_${index}`, name: `Project ${index}`, working_directory: root });
  for (let index = 0; index < agents; index += 1) {
    const { passkey } = await person.call('create_agent', {
      id: `agt_${index}`,
      name: `Agent ${index}`,
      ai_type: 'claude',
    });
    made.push({ id: `agt_${index}`, passkey });
    for (let other = 0; other < projects; other += 1)
      await person.call('assign_agent', { project_id: `prj_${other}`, agent_id: `agt_${index}` });
  }
  return made;
}

const statuses = ['backlog', 'todo', 'done', 'done', 'blocked', 'cancelled', 'done', 'todo', 'done', 'backlog'];

/** By the front door: one import of so many lines. */
function fill(product, { cwd, env }, people, tasks) {
  const lines = Array.from({ length: tasks }, (_, index) =>
    JSON.stringify({
      type: 'task',
      task_id: `tsk_${index}`,
      project_id: `prj_${Math.floor(index / 7) % projects}`,
      title: `Task ${index}`,
      description: 'Something to be done, in a few words that somebody wrote.',
      status: statuses[Math.floor(index / agents) % statuses.length],
      assignee_id: people[index % people.length].id,
      depends_on: index % 10 === 1 && index > 100 ? [`tsk_${index - 99}`] : [],
      labels: ['bench'],
      acceptance: ['it is done'],
    }),
  );
  const { status, stderr } = spawnSync(process.execPath, [product.bin, 'work', 'import', '-'], {
    cwd,
    env: { ...env, ...asPerson },
    input: lines.join('\n'),
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(stderr);
}

async function measure({ person, agent, floor, people }, options) {
  const { session_token } = await agent.call('authenticate', {
    agent_id: people[0].id,
    passkey: people[0].passkey,
    project_id: 'prj_0',
  });
  const { task: mine } = await agent.call('get_my_task', { session_token });
  const { logs } = await agent.call('list_execution_logs', {});
  const deep = (await walk(agent, 4)).next_cursor;
  const pair = { agent_id: 'agt_1', project_id: 'prj_1' };
  let turn = 0;
  let handoff;
  const questions = {
    health_check: () => agent.call('health_check'),
    list_active_projects_with_agents: () => agent.call('list_active_projects_with_agents'),
    should_start: () => agent.call('should_start', pair),
    get_my_task: () => agent.call('get_my_task', { session_token }),
    get_pending_tasks: () => agent.call('get_pending_tasks', { session_token }),
    list_projects: () => agent.call('list_projects'),
    get_project: () => agent.call('get_project', { project_id: 'prj_2' }),
    get_agent_profile: () => agent.call('get_agent_profile', { agent_id: 'agt_3' }),
    list_tasks: () => agent.call('list_tasks', { project_id: 'prj_1' }),
    'list_tasks, one state': () => agent.call('list_tasks', { project_id: 'prj_1', status: 'todo' }),
    'list_tasks, of an agent': () => agent.call('list_tasks', { assignee_id: 'agt_4' }),
    'list_tasks, deep page': () => agent.call('list_tasks', { project_id: 'prj_1', cursor: deep }),
    get_task: () => agent.call('get_task', { task_id: 'tsk_5000' }),
    get_task_history: () => agent.call('get_task_history', { task_id: mine.task_id }),
    save_context: () => agent.call('save_context', { task_id: 'tsk_5000', progress: `step ${(turn += 1)}` }),
    get_task_context: () => agent.call('get_task_context', { task_id: 'tsk_5000' }),
    create_handoff: async () => {
      ({ handoff_id: handoff } = await agent.call('create_handoff', {
        task_id: 'tsk_5001',
        from_agent_id: 'agt_1',
        summary: 'go on',
      }));
    },
    get_pending_handoffs: () => agent.call('get_pending_handoffs', { agent_id: 'agt_1' }),
    accept_handoff: () =>
      handoff === undefined ? undefined : agent.call('accept_handoff', { handoff_id: handoff, agent_id: 'agt_1' }),
    list_execution_logs: () => agent.call('list_execution_logs'),
    get_execution_log: () => agent.call('get_execution_log', { execution_id: logs[0].executionId }),
    assign_task: () => agent.call('assign_task', { task_id: 'tsk_6000', assignee_id: `agt_${(turn += 1) % agents}` }),
    update_task_status: () => person.call('update_task_status', { task_id: 'tsk_7000', status: (turn += 1) && flip() }),
    create_task: () => person.call('create_task', { project_id: 'prj_4', title: 'One more', assignee_id: 'agt_5' }),
    update_task: () => person.call('update_task', { task_id: 'tsk_8000', title: `Title ${(turn += 1)}` }),
  };
  let state = 'backlog';
  const flip = () => (state = state === 'todo' ? 'backlog' : 'todo');
  const accepted = questions.accept_handoff;
  // A hand-off is accepted once; the next round makes another.
  questions.accept_handoff = async () => {
    await accepted();
    handoff = undefined;
  };
  const timings = Object.fromEntries(Object.entries(questions).map(([what, ask]) => [what, () => timed(ask)]));
  const samples = await interleave({ ...timings, trivial: () => timed(() => floor.call('trivial')) }, options);
  const trivial = { name: 'trivial tool', ...summarize(samples.trivial) };
  return Object.keys(questions).map((what) => ({ what, ...summarize(samples[what]), floor: trivial, bar: { p50: 5 } }));
}

async function walk(agent, pages) {
  let page = await agent.call('list_tasks', { project_id: 'prj_1', limit: 400 });
  for (let turn = 1; turn < pages; turn += 1)
    page = await agent.call('list_tasks', { project_id: 'prj_1', limit: 400, cursor: page.next_cursor });
  return page;
}

/** A passkey's hash is slow on purpose: `authenticate` has no bar, what a session costs beside it has. */
async function sessions(agent, people, rounds) {
  const samples = { authenticate: [], logout: [], report_completed: [] };
  for (let round = 0; round < rounds; round += 1) {
    const who = people[1 + (round % (people.length - 1))];
    for (const [end, input] of [
      ['logout', {}],
      ['report_completed', { result: 'failed' }],
    ]) {
      let session_token;
      const input_of = { agent_id: who.id, passkey: who.passkey, project_id: 'prj_3' };
      samples.authenticate.push(
        await timed(async () => ({ session_token } = await agent.call('authenticate', input_of))),
      );
      await agent.call('get_my_task', { session_token });
      samples[end].push(await timed(() => agent.call(end, { session_token, ...input })));
    }
  }
  return Object.entries(samples).map(([what, taken]) => ({
    what,
    ...summarize(taken),
    ...(what === 'authenticate' ? { note: 'scrypt, slow on purpose' } : { bar: { p50: 5 } }),
  }));
}
