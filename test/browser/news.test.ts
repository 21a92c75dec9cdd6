import { once } from 'node:events';
import { expect } from 'vitest';
import { makeWaiting } from '../e2e/dashboard-world.ts';
import { requires } from '../e2e/requirements.ts';
import { inOneWorld } from '../e2e/world.ts';
import { lastingPort } from '../setup/port.ts';
import { visit } from './browser.ts';
import { faults } from './look.ts';

/** What a page showed by the browser, and whether somebody looks at it: a browser without a desktop denies every notification. */
interface Watched {
  shown: string[];
  hidden: boolean;
}

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.news'), async ({ world }) => {
    await world.daemon(await lastingPort());
    const visitor = await visit(world);
    const { page, url } = visitor;
    await page.addInitScript(() => {
      const watched: Watched = { shown: [], hidden: false };
      Object.assign(globalThis, {
        watched,
        Notification: class extends EventTarget {
          static get permission() {
            return localStorage.getItem('permission') ?? 'default';
          }
          static async requestPermission() {
            const answer = localStorage.getItem('refuse') === null ? 'granted' : 'denied';
            localStorage.setItem('permission', answer);
            return answer;
          }
          constructor(title: string, { body }: NotificationOptions) {
            super();
            watched.shown.push(`${title}: ${body ?? ''}`);
          }
        },
      });
      Object.defineProperty(document, 'hidden', { get: () => watched.hidden });
    });
    const watched = () => page.evaluate(() => (globalThis as unknown as { watched: Watched }).watched.shown);
    const hide = (hidden: boolean) =>
      page.evaluate((is) => {
        (globalThis as unknown as { watched: Watched }).watched.hidden = is;
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    await visitor.go('/settings');
    // A browser that does not allow it is not taken for one that does.
    await page.evaluate(() => localStorage.setItem('refuse', ''));
    await page.getByLabel(/^Notify me/).click();
    await page.getByText('The browser does not allow it').waitFor();
    expect(await page.getByLabel(/^Notify me/).isChecked()).toBe(false);
    await page.evaluate(() => localStorage.removeItem('refuse'));
    await page.getByLabel(/^Notify me/).check();
    // Somebody looks: the page shows it itself.
    await visitor.go('/');
    await page.getByText('Nothing waits for you').waitFor();
    await page.getByText('Live', { exact: true }).waitFor();
    await makeWaiting(world, 'One.\n', { title: 'Seen at once' });
    await page.getByRole('link', { name: 'Note: Seen at once' }).waitFor();
    expect(await watched()).toEqual([]);
    // Nobody looks: one notification for what came, and the number in the title.
    await hide(true);
    await makeWaiting(world, 'Two.\n', { title: 'Came meanwhile' });
    await page.waitForFunction(() => document.title === '(2) Sekisho');
    await expect.poll(watched).toEqual(['Note: Came meanwhile']);
    await hide(false);
    await page.getByRole('link', { name: 'Note: Came meanwhile' }).waitFor();
    expect(await watched()).toHaveLength(1);

    // A daemon of another version, after it was away.
    expect(await page.getByText('A newer version is running').count()).toBe(0);
    await page.route(`${url}/`, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, headers: { ...response.headers(), 'sekisho-version': '99.0.0' } });
    });
    visitor.allow(/ERR_|Failed to fetch|network/);
    const { process: daemon } = await world.daemon();
    const ended = once(daemon, 'exit');
    daemon.kill();
    await page.getByText('Reconnecting…').waitFor();
    await ended;
    await world.cli(['up', '--background', '--port', new URL(url).port, '--json']);
    await page.getByText('A newer version is running').waitFor();
    expect(await faults(page)).toEqual([]);
    await page.unroute(`${url}/`);
    await page.getByRole('button', { name: 'Reload' }).click();
    await page.getByText('A newer version is running').waitFor({ state: 'detached' });
    await visitor.leave();
  });
});
