import { openBrowser } from '../browser.mjs';
import { openCrowd } from '../crowd.mjs';
import { loadScreen, openRows, scrollFrames } from '../page.mjs';
import { summarize, timed } from '../statistics.mjs';

/**
 * The dashboard over a project after years of work: how long each screen takes until it is complete, how it scrolls,
 * and when two people see what an agent did.
 */
export const dashboard = {
  name: 'dashboard',
  async run({ product, quick }) {
    const crowd = await openCrowd(product, quick);
    const browser = await openBrowser(crowd.project);
    const addressOf = (path) => {
      const url = new URL(path, crowd.daemon.url);
      url.searchParams.set('project', crowd.project.root);
      return url.href;
    };
    try {
      const pages = [await browser.signIn(), await browser.signIn()];
      return [
        ...(await screens(pages[0], crowd, addressOf, quick ? 3 : 10)),
        ...(await scrolling(pages[0], addressOf, quick ? 2000 : 10_000)),
        await seenByTwo(pages, crowd.person, addressOf, quick ? 10 : 50),
      ];
    } finally {
      await browser.close();
      await crowd.close();
    }
  },
};

const screensOf = ({ waiting, longRun, fleet }) => ({
  inbox: '/',
  approval: `/approvals/${waiting}`,
  runs: '/runs',
  run: `/runs/${longRun}`,
  board: '/board',
  'board as a list': '/board?view=list',
  task: '/tasks/tsk_31',
  'fleet, groups': '/fleet',
  'fleet, agents': '/fleet?view=agents',
  'fleet, roles': '/fleet?view=roles',
  group: `/fleet/groups/${fleet.groupId}`,
  agent: `/fleet/agents/${fleet.agentId}`,
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

async function screens(page, crowd, addressOf, rounds) {
  const rows = [];
  for (const [name, path] of Object.entries(screensOf(crowd))) {
    const taken = [];
    for (let round = 0; round < rounds; round += 1) taken.push(await loadScreen(page, addressOf(path)));
    rows.push({ what: `dashboard, ${name}: complete`, ...summarize(taken), bar: { p50: 2000 } });
  }
  rows[0].note = crowd.size;
  return rows;
}

async function scrolling(page, addressOf, ms) {
  const rows = [];
  for (const [name, path, clicks] of [
    ['journal', '/journal', 12],
    ['runs', '/runs', 6],
    ['board', '/board', 5],
    ['fleet, agents', '/fleet?view=agents', 3],
  ]) {
    await loadScreen(page, addressOf(path));
    const count = await openRows(page, clicks);
    const frames = await scrollFrames(page, ms);
    rows.push({
      what: `dashboard, ${name}: a frame while scrolling`,
      ...summarize(frames),
      bar: { p50: 17.5 },
      note: `${count} rows`,
    });
  }
  return rows;
}

/** From a call until two other people see what it changed. */
async function seenByTwo(pages, person, addressOf, rounds) {
  for (const page of pages) await loadScreen(page, addressOf('/tasks/tsk_41'));
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
  return { what: 'dashboard: two people see a change', ...summarize(taken), bar: { p90: 1000 } };
}
