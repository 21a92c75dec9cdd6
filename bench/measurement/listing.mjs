import { openCrowd } from '../crowd.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';
import { openStdio } from '../stdio-client.mjs';

/** Every listing, and the tools that agents call all day, in a project after years of work. */
export const listing = {
  name: 'listing',
  async run({ product, quick }) {
    const crowd = await openCrowd(product, quick);
    const agent = await openStdio(crowd.project.mcp, crowd.project);
    const { person } = crowd;
    const calls = {
      ...(await gateCalls(agent, crowd)),
      ...(await workCalls(agent, crowd)),
      ...personCalls(person, crowd),
    };
    const samples = await interleave(
      Object.fromEntries(Object.entries(calls).map(([what, call]) => [what, () => timed(call)])),
      { rounds: quick ? 60 : 400, warmUp: 20 },
    );
    await agent.close();
    await crowd.close();
    return Object.entries(samples).map(([what, taken], index) => ({
      what,
      ...summarize(taken),
      bar: { p50: 5 },
      ...(index === 0 && { note: crowd.size }),
    }));
  },
};

async function gateCalls(agent, { longRun }) {
  const { next_cursor: second } = await agent.call('state_gate.list_runs', { limit: 50 });
  const deep = await turnPages((cursor) =>
    agent.call('state_gate.get_history', { run_id: longRun, limit: 400, cursor }),
  );
  return {
    list_runs: () => agent.call('state_gate.list_runs'),
    'list_runs, second page': () => agent.call('state_gate.list_runs', { limit: 50, cursor: second }),
    list_events: () => agent.call('state_gate.list_events', { run_id: longRun }),
    get_state: () => agent.call('state_gate.get_state', { run_id: longRun }),
    get_history: () => agent.call('state_gate.get_history', { run_id: longRun }),
    'get_history, deep page': () => agent.call('state_gate.get_history', { run_id: longRun, cursor: deep }),
  };
}

async function workCalls(agent, { passkeys }) {
  const who = { agent_id: 'agt_0', project_id: 'prj_0' };
  const { session_token } = await agent.call('authenticate', { ...who, passkey: passkeys[0] });
  const { task } = await agent.call('get_my_task', { session_token });
  const inProject = { project_id: 'prj_1' };
  const deep = await turnPages((cursor) => agent.call('list_tasks', { ...inProject, limit: 400, cursor }));
  let turn = 0;
  return {
    should_start: () => agent.call('should_start', { agent_id: 'agt_1', project_id: 'prj_1' }),
    get_my_task: () => agent.call('get_my_task', { session_token }),
    get_pending_tasks: () => agent.call('get_pending_tasks', { session_token }),
    list_active_projects_with_agents: () => agent.call('list_active_projects_with_agents'),
    list_projects: () => agent.call('list_projects'),
    list_tasks: () => agent.call('list_tasks', inProject),
    'list_tasks, one state': () => agent.call('list_tasks', { ...inProject, status: 'todo' }),
    'list_tasks, of an agent': () => agent.call('list_tasks', { assignee_id: 'agt_4' }),
    'list_tasks, deep page': () => agent.call('list_tasks', { ...inProject, cursor: deep }),
    get_task: () => agent.call('get_task', { task_id: 'tsk_5000' }),
    get_task_history: () => agent.call('get_task_history', { task_id: task.task_id }),
    get_task_context: () => agent.call('get_task_context', { task_id: 'tsk_5000' }),
    get_pending_handoffs: () => agent.call('get_pending_handoffs', { agent_id: 'agt_1' }),
    list_execution_logs: () => agent.call('list_execution_logs'),
    save_context: () => agent.call('save_context', { task_id: 'tsk_5000', progress: `Step ${(turn += 1)}` }),
    assign_task: () => agent.call('assign_task', { task_id: 'tsk_6000', assignee_id: `agt_${(turn += 1) % 20}` }),
  };
}

/** What the dashboard asks for, over HTTP. */
function personCalls(person, { longRun }) {
  const calls = {
    list_waiting: {},
    list_open_matters: {},
    list_cards: { status: 'todo' },
    list_groups: {},
    list_agents: {},
    list_instances: {},
    list_calls: { upstream: 'everything' },
    list_journal: {},
    'list_journal, of a run': { subject: longRun },
    get_timeline: { task_id: 'tsk_31' },
    create_task: { project_id: 'prj_4', title: 'One more', assignee_id: 'agt_5' },
    update_task: { task_id: 'tsk_8000', title: 'Another title' },
  };
  return Object.fromEntries(
    Object.entries(calls).map(([what, input]) => [`${what} over HTTP`, () => person.call(what.split(',')[0], input)]),
  );
}

/** The cursor of the fourth page. */
async function turnPages(ask) {
  let cursor;
  for (let page = 1; page < 4; page += 1) {
    const answer = await ask(cursor);
    cursor = answer.next_cursor;
    if (cursor === undefined) throw new Error(`there are only ${page} pages`);
  }
  return cursor;
}
