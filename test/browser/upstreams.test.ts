import { requires } from '../e2e/requirements.ts';
import { configure, fixture } from '../e2e/upstream-fixture.ts';
import { inOneWorld } from '../e2e/world.ts';
import { visit } from './browser.ts';
import { lookAt, lookAtDialog } from './look.ts';

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.upstreams'), async ({ world }) => {
    configure(world, {
      penpot: { command: fixture('plain'), skill: 'penpot' },
      gone: { command: ['/nowhere/to/be/found'] },
    });
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go('/upstreams');
    await page.getByRole('link', { name: 'penpot' }).waitFor();
    await page.getByRole('button', { name: 'Check all' }).click();
    await page.getByText('Connected', { exact: true }).waitFor();
    await page.getByText('Disconnected', { exact: true }).waitFor();
    await lookAt(visitor, 'upstreams');
    await page.getByRole('link', { name: 'penpot' }).click();
    await page.getByText('No calls yet.').waitFor();
    await page.getByRole('listitem').filter({ hasText: 'Adds' }).waitFor();
    // A call of an agent appears by itself; one that the lock refused too.
    await world.call('penpot_add', { a: 1, b: 2 });
    await page.getByRole('cell', { name: 'locked' }).waitFor();
    await world.call('activate', { upstream: 'penpot' });
    await world.call('penpot_add', { a: 1, b: 2 });
    await page.getByRole('cell', { name: 'ok', exact: true }).waitFor();
    await lookAt(visitor, 'upstream');
    await page.getByRole('button', { name: 'Activate' }).click();
    const dialog = page.getByRole('dialog');
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Activate' }).click();
    await dialog.getByText('Connected: plain-fixture 1.2.3').waitFor();
    await page.keyboard.press('Escape');
    visitor.allow(/40\d|50\d/);
    await page.goto(`${visitor.url}/upstreams/none`);
    await page.getByText('UPSTREAM_UNKNOWN').waitFor();
    await visitor.leave();
  });
});
