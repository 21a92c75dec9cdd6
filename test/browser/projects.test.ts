import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { registerRoot } from '../../src/config/register.ts';
import { listRoots, removeRoot } from '../../src/config/root.ts';
import { makeWaiting } from '../e2e/dashboard-world.ts';
import { requires } from '../e2e/requirements.ts';
import { inOneWorld } from '../e2e/world.ts';
import { visit } from './browser.ts';
import { lookAt } from './look.ts';

inOneWorld('http', 'postgres', (test) => {
  test('where no project is registered, the page says how to begin', async ({ world }) => {
    const visitor = await visit(world);
    const { page } = visitor;
    for (const root of listRoots(world.place.data)) removeRoot(world.place.data, root);
    await page.goto(visitor.url);
    await page.getByRole('heading', { name: 'No project is registered yet' }).waitFor();
    for (const step of ['bin:$PATH"', 'sekisho demo', 'sekisho init --client claude'])
      await page.getByRole('listitem').filter({ hasText: step }).getByRole('button', { name: 'Copy' }).waitFor();
    await lookAt(visitor, 'projects-none');
    await visitor.leave();
  });

  test(requires('dashboard.page.projects'), async ({ world }) => {
    // Three folders of one daemon, in one database.
    const folders = ['shop', 'library'].map((name) => join(world.project, '..', name));
    for (const folder of [world.project, ...folders]) {
      mkdirSync(join(folder, '.sekisho'), { recursive: true });
      registerRoot(world.place.data, folder, new Date());
    }
    const [shop = '', library = ''] = folders;
    const start = (cwd: string, title: string) =>
      world.cli(
        ['gate', 'create-run', '--process-id', 'exploration', '--context', JSON.stringify({ title }), '--json'],
        { cwd },
      );
    expect((await start(shop, 'Prices')).code).toBe(0);
    expect((await start(shop, 'Stock')).code).toBe(0);
    await makeWaiting(world);
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go('/projects');
    const card = (name: string) =>
      page.getByRole('article').filter({ has: page.getByRole('link', { name, exact: true }) });
    await card('project').getByText('1 waiting for you').waitFor();
    await card('shop').getByText('nothing waiting').waitFor();
    await card('shop').getByText('2 runs in progress').waitFor();
    await card('library').getByText('No runs yet').waitFor();
    expect(await page.getByRole('article').count()).toBe(3);
    await lookAt(visitor, 'projects-several');
    // Each is a page of its own, and stays the one that is looked at.
    await card('shop').getByRole('link', { name: 'shop', exact: true }).click();
    await page.getByText('Nothing waits for you').waitFor();
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByRole('link', { name: /^Prices/ }).waitFor();
    expect(await page.getByRole('link', { name: /^note/ }).count()).toBe(0);
    expect(new URL(page.url()).searchParams.get('project')).toBe(shop);
    // What happens in one is told there, and nowhere else.
    await start(library, 'Shelves');
    await start(shop, 'Orders');
    await page.getByRole('link', { name: /^Orders/ }).waitFor();
    expect(await page.getByRole('link', { name: /^Shelves/ }).count()).toBe(0);
    await page.getByLabel('Project').selectOption(library);
    await page.getByText('Nothing waits for you').waitFor();
    await page.getByRole('link', { name: 'Runs', exact: true }).click();
    await page.getByRole('link', { name: /^Shelves/ }).waitFor();
    expect(await page.getByRole('link', { name: /^Orders/ }).count()).toBe(0);
    await visitor.leave();
  });
});
