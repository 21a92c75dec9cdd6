import http from 'node:http';
import { post } from '../http-client.mjs';
import { overYears } from '../over-years.mjs';
import { loadScreen, openRows, scrollFrames } from '../page.mjs';
import { personToken } from '../project.mjs';
import { interleave, summarize, timed } from '../statistics.mjs';

/**
 * The dashboard over a project after years of work: how long each screen takes to be painted and to be there, how each list
 * answers, how it scrolls, and when two people see what an agent did.
 */
export const dashboard = {
  name: 'dashboard',
  async run({ product, quick }) {
    return overYears({ product, quick }, async ({ daemon, project, browser, person, at, runs }) => {
      const page = await browser.signIn();
      return [
        ...(await screens({ page, at, runs }, quick ? 3 : 10)),
        ...(await lists({ daemon, project, runs }, quick)),
        ...(await scrolling({ page, at }, quick ? 3000 : 10_000)),
        ...(await seen({ pages: [page, await browser.signIn()], at, person }, quick ? 10 : 50)),
      ];
    });
  },
};

const addresses = (runs) => ({
  inbox: '/',
  approval: `/approvals/${runs[1]}`,
  runs: '/runs',
  run: `/runs/${runs[0]}`,
  board: '/board',
  'board as a list': '/board?view=list',
  task: '/tasks/tsk_31',
  'fleet, groups': '/fleet',
  'fleet, agents': '/fleet?view=agents',
  'fleet, roles': '/fleet?view=roles',
  group: '/fleet/groups/grp-00000000',
  agent: '/fleet/agents/coder-00000011',
  work: '/work',
  'work, agents': '/work?view=agents',
  'work, a project': '/work/projects/prj_0',
  'work, an agent': '/work/agents/agt_0',
  processes: '/processes',
  process: '/processes/note',
  prompts: '/prompt-library',
  upstreams: '/upstreams',
  journal: '/journal',
  projects: '/projects',
  settings: '/settings',
});

async function screens({ page, at, runs }, rounds) {
  const rows = [];
  for (const [name, path] of Object.entries(addresses(runs))) {
    const painted = [];
    const there = [];
    for (let round = 0; round < rounds; round += 1) {
      const taken = await loadScreen(page, at(path));
      painted.push(taken.painted);
      there.push(taken.there);
    }
    rows.push(
      { what: `dashboard, ${name}: first paint`, ...summarize(painted), bar: { p50: 1000 } },
      { what: `dashboard, ${name}: all of it there`, ...summarize(there), bar: { p50: 2000 } },
    );
  }
  return rows;
}

/** As the page asks. What no index finds has a bar of its own: it goes through the whole journal. */
async function lists({ daemon, project, runs }, quick) {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });
  const ask = async (name, input = {}) => {
    const url = `${daemon.url}/api/${name}?project=${encodeURIComponent(project.root)}`;
    const { status, body } = await post(url, input, agent, { Authorization: `Bearer ${personToken}` });
    if (status !== 200) throw new Error(`${name}: ${body}`);
  };
  const questions = {
    list_waiting: () => ask('list_waiting'),
    list_open_matters: () => ask('list_open_matters'),
    list_runs: () => ask('state_gate.list_runs'),
    'list_runs with a text': () => ask('state_gate.list_runs', { text: 'note 7' }),
    'list_cards, to do': () => ask('list_cards', { status: 'todo' }),
    'list_cards, done': () => ask('list_cards', { status: 'done' }),
    'list_cards with a text': () => ask('list_cards', { status: 'done', text: 'task 99' }),
    list_groups: () => ask('list_groups'),
    list_agents: () => ask('list_agents'),
    list_instances: () => ask('list_instances'),
    list_projects: () => ask('list_projects'),
    list_processes: () => ask('state_gate.list_processes'),
    list_calls: () => ask('list_calls', { upstream: 'everything' }),
    list_journal: () => ask('list_journal'),
    'list_journal of a run': () => ask('list_journal', { subject: runs[0] }),
    get_timeline: () => ask('get_timeline', { task_id: 'tsk_31' }),
  };
  const rare = { 'list_journal with a text that nowhere stands': () => ask('list_journal', { text: 'zebra' }) };
  const measure = async (asked, rounds, bar) => {
    const timings = Object.fromEntries(Object.entries(asked).map(([what, one]) => [what, () => timed(one)]));
    const samples = await interleave(timings, { rounds, warmUp: 2, deadlineMs: 60_000 });
    return Object.entries(samples).map(([what, taken]) => ({ what: `API, ${what}`, ...summarize(taken), bar }));
  };
  const rows = [
    ...(await measure(questions, quick ? 20 : 200, { p50: 100 })),
    ...(await measure(rare, quick ? 3 : 10, { p50: 3000 })),
  ];
  agent.destroy();
  return rows;
}

async function scrolling({ page, at }, ms) {
  const rows = [];
  for (const [name, path, clicks] of [
    ['journal', '/journal', 12],
    ['runs', '/runs', 6],
    ['board', '/board', 5],
    ['fleet, agents', '/fleet?view=agents', 3],
  ]) {
    await loadScreen(page, at(path));
    const count = await openRows(page, clicks);
    const frames = await scrollFrames(page, ms);
    const rate = (1000 * frames.length) / frames.reduce((sum, one) => sum + one, 0);
    rows.push({
      what: `dashboard, ${name}: a frame while scrolling`,
      ...summarize(frames),
      bar: { p50: 17.5 },
      note: `${rate.toFixed(0)} frames a second, ${count} rows`,
    });
  }
  return rows;
}

/** From the call of one until all others have it before their eyes. */
async function seen({ pages, at, person }, rounds) {
  for (const page of pages) await loadScreen(page, at('/tasks/tsk_41'));
  const taken = [];
  for (let round = 0; round < rounds; round += 1) {
    const title = `Seen ${round}`;
    const shown = (page) => page.getByRole('heading', { level: 1, name: title, exact: true }).waitFor();
    taken.push(
      await timed(async () => {
        await person.call('update_task', { task_id: 'tsk_41', title });
        await Promise.all(pages.map(shown));
      }),
    );
  }
  return [{ what: 'dashboard: a change is before the eyes of two people', ...summarize(taken), bar: { p90: 1000 } }];
}
