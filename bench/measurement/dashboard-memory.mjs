import { setTimeout } from 'node:timers/promises';
import { overYears } from '../over-years.mjs';
import { heldBy, loadScreen } from '../page.mjs';

const aSecond = 20;
const looks = 20;

/** Two pages that are left open for an hour while twenty things happen every second: what they hold at the end, by what they held when all was warm. */
export const dashboardMemory = {
  name: 'dashboard-memory',
  run: ({ product, quick }) => overYears({ product, quick }, (place) => retention(place, quick ? 90_000 : 3_600_000)),
};

async function retention({ browser, at, person, runs }, ms) {
  const pages = {};
  for (const [name, path] of Object.entries({ journal: '/journal', board: '/board' })) {
    pages[name] = await browser.signIn();
    await loadScreen(pages[name], at(path));
  }
  const held = Object.fromEntries(Object.keys(pages).map((name) => [name, []]));
  const began = performance.now();
  let events = 0;
  let nextLook = ms / looks;
  while (performance.now() - began < ms) {
    const due = ((performance.now() - began) / 1000) * aSecond;
    // Several at once: on a busy machine one after the other would be fewer.
    if (events < due) await Promise.all(Array.from({ length: 4 }, () => happen(person, runs, (events += 1))));
    else await setTimeout(5);
    if (performance.now() - began < nextLook) continue;
    nextLook += ms / looks;
    for (const [name, page] of Object.entries(pages)) held[name].push(await heldBy(page));
  }
  const rate = (1000 * events) / (performance.now() - began);
  return Object.entries(held).flatMap(([name, samples]) =>
    ['heap', 'nodes', 'listeners'].map((what) => grown(name, what, samples, `${rate.toFixed(0)} events a second`)),
  );
}

/** Each of them makes a list stale that one of the pages shows. */
async function happen(person, runs, n) {
  if (n % 2 === 0) await person.call('update_task', { task_id: `tsk_${n % 50}`, title: `Task ${n}` });
  else await person.call('save_context', { task_id: `tsk_${n % 50}`, progress: `Step ${n} of run ${runs[n % 9]}` });
}

function grown(name, what, samples, note) {
  const median = (some) => some.map((one) => one[what]).toSorted((a, b) => a - b)[Math.floor(some.length / 2)];
  const before = median(samples.slice(3, 8));
  const after = median(samples.slice(-5));
  const shown = what === 'heap' ? (bytes) => `${(bytes / 2 ** 20).toFixed(1)} MiB` : String;
  return {
    what: `dashboard, ${name} left open: ${what}`,
    n: samples.length,
    ratio: after / before,
    bar: { ratio: 1.1 },
    note: `${shown(before)}, then ${shown(after)}; ${note}`,
  };
}
