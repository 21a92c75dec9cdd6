import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { userInfo } from 'node:os';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { makeWorld } from '../../e2e/world.ts';
import { visit } from '../browser.ts';
import { prefer } from '../look.ts';
import { type Lang, type Told, tell } from './story.ts';

const folder = join(import.meta.dirname, '../../../docs/images/screens');
/** Somebody reads the docs with them: each must be small. */
const mostBytes = 120_000;

interface Picture {
  readonly name: string;
  readonly path: string;
  /** What must be there before it is taken. */
  readonly ready?: (page: Page) => Promise<unknown>;
}

function picturesOf(told: Told): readonly Picture[] {
  return [
    { name: 'inbox', path: '/' },
    {
      name: 'approval',
      path: `/approvals/${told.release}`,
      ready: (page) => page.locator('.process-graph svg').waitFor(),
    },
    { name: 'runs', path: '/runs' },
    { name: 'run', path: `/runs/${told.feature}`, ready: (page) => page.locator('.process-graph svg').waitFor() },
    { name: 'board', path: '/board' },
    { name: 'task', path: `/tasks/${told.task}`, ready: (page) => page.locator('.task-graph svg').waitFor() },
    { name: 'fleet', path: '/fleet' },
    { name: 'roles', path: '/fleet?view=roles' },
    { name: 'group', path: `/fleet/groups/${told.group}` },
    { name: 'agent', path: `/fleet/agents/${told.agent}` },
    { name: 'work', path: '/work' },
    { name: 'project', path: `/work/projects/${told.shop}` },
    { name: 'identity', path: `/work/agents/${told.identity}` },
    { name: 'processes', path: '/processes' },
    { name: 'process', path: '/processes/release', ready: (page) => page.locator('.process-graph svg').waitFor() },
    { name: 'prompts', path: '/prompt-library' },
    { name: 'prompt', path: '/prompt-library/code-review' },
    { name: 'upstreams', path: '/upstreams' },
    { name: 'upstream', path: '/upstreams/files' },
    { name: 'journal', path: '/journal?kind=run.' },
    { name: 'projects', path: '/projects' },
    { name: 'settings', path: '/settings', ready: (page) => page.locator('.rings').waitFor() },
  ];
}

test.each(['en', 'ja'] as const)('every screen is shown in the docs (%s)', { timeout: 600_000 }, async (lang) => {
  const world = await makeWorld('http', 'sqlite', 'tea-shop');
  try {
    await world.person(['admin', 'add-person', 'ann', '--json']);
    const told = await tell(world, lang);
    const visitor = await visit(world, { person: 'ann', width: 1280, height: 800 });
    const { page } = visitor;
    await stretch(page);
    for (const picture of picturesOf(told)) {
      await visitor.go(picture.path);
      for (const theme of ['light', 'dark'] as const) {
        await prefer(page, theme, lang);
        await picture.ready?.(page);
        await page.waitForFunction(() => document.querySelector('.loading') === null);
        await dress(page, dirname(world.project));
        await take(page, picture.name, theme, lang);
      }
    }
    await visitor.leave();
  } finally {
    world.write('../end', '');
    await world.close();
  }
});

/** The story took half a minute: it shall look like an hour. */
async function stretch(page: Page): Promise<void> {
  const times = 40;
  const now = Date.now();
  const longer = (iso: string): string => {
    const at = Date.parse(iso);
    return at > now ? iso : new Date(now - (now - at) * times).toISOString();
  };
  await page.route('**/api/*', async (route) => {
    if (route.request().url().includes('/api/stream')) return route.continue();
    const response = await route.fetch();
    const body = (await response.text())
      .replaceAll(/"(\d{4}-\d\d-\d\dT[\d:.]+Z)"/g, (_, iso: string) => `"${longer(iso)}"`)
      .replaceAll(/"elapsed_ms":(\d+)/g, (_, ms: string) => `"elapsed_ms":${Number(ms) * times}`);
    return route.fulfill({ response, body });
  });
}

/** The folder of a test is nobody's: it shall look like a person's. Addresses stay as they are, since the page asks with them. */
async function dress(page: Page, home: string): Promise<void> {
  const root = resolve(import.meta.dirname, '../../..');
  const words: readonly (readonly [string, string])[] = [
    [home, '/home/ann'],
    [`${root}/node_modules`, '/usr/lib/node_modules'],
    [root, '/usr/lib/node_modules/sekisho'],
    [`os:${userInfo().username}`, 'os:ann'],
  ];
  await page.evaluate((all) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
      for (const [from, to] of all)
        if (node.nodeValue?.includes(from) === true) node.nodeValue = node.nodeValue.replaceAll(from, to);
  }, words);
}

/** WebP, which playwright does not take: a third of a PNG. */
async function take(page: Page, name: string, theme: string, lang: Lang): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: 90 });
  await session.detach();
  const bytes = Buffer.from(data, 'base64');
  expect(bytes.length, name).toBeLessThan(mostBytes);
  mkdirSync(folder, { recursive: true });
  const ending = `${theme === 'dark' ? '-dark' : ''}${lang === 'ja' ? '.ja' : ''}`;
  writeFileSync(join(folder, `${name}${ending}.webp`), bytes);
}
