import { expect } from 'vitest';
import { makeWaiting } from '../e2e/dashboard-world.ts';
import { requires } from '../e2e/requirements.ts';
import { inOneWorld } from '../e2e/world.ts';
import { visit } from './browser.ts';
import { lookAt, lookAtDialog } from './look.ts';
import { startTlsProxy } from './tls-proxy.ts';

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.settings'), async ({ world }) => {
    await world.person(['admin', 'add-person', 'ann', '--json']);
    const [visitor, ann] = [await visit(world), await visit(world, { person: 'ann' })];
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    // Every project with what waits in it; it is looked at again by itself.
    await visitor.go('/projects');
    await page.getByText('nothing waiting').waitFor();
    await makeWaiting(world);
    await page.getByText('1 waiting for you').waitFor();
    await lookAt(visitor, 'projects');
    await page.getByRole('link', { name: 'project', exact: true }).click();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    await visitor.go('/settings');
    await page.getByText('Checked just now.').waitFor();
    await page.getByText('Other approvers: ann').waitFor();
    await page.getByText('person:ann').first().waitFor();
    await lookAt(visitor, 'settings');
    // A browser that is ended is signed out; so is nobody else.
    const sessions = page.getByRole('region', { name: 'Signed-in browsers' });
    ann.allow(/401/);
    await sessions.getByRole('button', { name: 'Revoke' }).click();
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await sessions.getByText('person:ann').waitFor({ state: 'detached' });
    await ann.page.reload();
    await ann.page.getByText('You are signed out').waitFor();
    const people = page.getByRole('region', { name: 'People and their tokens' });
    const tokens = await people.getByRole('button', { name: 'Revoke' }).count();
    await people.getByRole('button', { name: 'Revoke' }).first().click();
    await dialog.getByRole('button', { name: 'Revoke' }).click();
    await expect.poll(() => people.getByRole('button', { name: 'Revoke' }).count()).toBe(tokens - 1);
    // A person who is removed is gone with the tokens that are left.
    await people.getByRole('button', { name: 'Remove' }).click();
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Other approvers: ann').waitFor({ state: 'detached' });
    await page.getByLabel('Theme of this page').selectOption('dark');
    expect(await page.evaluate(() => document.documentElement.dataset['theme'])).toBe('dark');
    await ann.leave();
    await visitor.leave();
  });

  test(requires('dashboard.page.public'), async ({ world }) => {
    const proxy = await startTlsProxy(async () => (await world.daemon()).url);
    world.write('.sekisho/config.yaml', `http: { publicUrl: "${proxy.url}" }\n`);
    const visitor = await visit(world);
    const { page, context } = visitor;
    expect(visitor.url).toBe(proxy.url);
    await visitor.go('/settings');
    await page.getByRole('region', { name: 'Signed-in browsers' }).getByText('this one').waitFor();
    expect(await context.cookies()).toMatchObject([
      { name: `__Host-sekisho-${new URL(proxy.url).port}`, domain: 'localhost', secure: true, sameSite: 'Strict' },
    ]);
    // The page is live through the proxy too.
    await visitor.go('/');
    await makeWaiting(world);
    await page.getByText('note.md').waitFor();
    await visitor.leave();
    proxy.close();
  });
});
