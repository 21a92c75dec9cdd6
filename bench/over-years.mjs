import { openBrowser } from './browser.mjs';
import { makeCrowd } from './crowd.mjs';
import { openHttp, startDaemon } from './http-client.mjs';
import { personToken } from './project.mjs';

/** What is measured in a browser, at a daemon whose project has seen years of work. */
export async function overYears({ product, quick }, measure) {
  const crowd = { tasks: 10_000, runs: 1000, agents: 200, entries: quick ? 100_000 : 1_000_000 };
  const { project, runs } = await makeCrowd(product, crowd);
  const daemon = await startDaemon([product.bin, 'up', '--port', '0', '--json'], {
    cwd: project.root,
    env: { ...project.env, SEKISHO_PERSON_TOKEN: personToken },
  });
  const browser = await openBrowser(product, project);
  const person = await openHttp({ url: daemon.url, token: personToken }, { maxSockets: 8 });
  const at = (path) => {
    const url = new URL(path, daemon.url);
    url.searchParams.set('project', project.root);
    return url.href;
  };
  try {
    const [first, ...rest] = await measure({ daemon, project, browser, person, at, runs });
    const entries = crowd.entries.toLocaleString('en');
    const notes = [first.note, `10,000 tasks, 1,000 runs, ${entries} journal rows, 200 agents`];
    return [{ ...first, note: notes.filter((one) => one !== undefined).join('; ') }, ...rest];
  } finally {
    person.close();
    await browser.close();
    await daemon.close();
  }
}
