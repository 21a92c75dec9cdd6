import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect } from 'vitest';
import { makeWaiting } from '../e2e/dashboard-world.ts';
import { requires } from '../e2e/requirements.ts';
import { inOneWorld } from '../e2e/world.ts';
import { lastingPort } from '../setup/port.ts';
import { visit } from './browser.ts';
import { lookAt, lookAtDialog } from './look.ts';

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.runs'), async ({ world }) => {
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go('/runs');
    await page.getByText('No runs yet').waitFor();
    await page.getByRole('button', { name: 'New run' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Process').selectOption('exploration');
    await dialog.getByLabel(/^Context/).fill('{"title": 1');
    await dialog.getByText('This is not a JSON object.').waitFor();
    await lookAtDialog(visitor);
    await dialog.getByLabel(/^Context/).fill('{"title": "Look around"}');
    await dialog.getByRole('button', { name: 'Start' }).click();
    await page.waitForURL((at) => at.pathname.startsWith('/runs/run-'));
    await makeWaiting(world);
    await visitor.go('/runs');
    await page.getByRole('link', { name: /^Look around/ }).waitFor();
    await page.getByText('waiting for you', { exact: true }).waitFor();
    await lookAt(visitor, 'runs');
    // Filters are in the URL, and apply when it is opened again.
    await page.getByLabel('Find in id, state, context').fill('LOOK');
    await page.getByRole('link', { name: /^note/ }).waitFor({ state: 'detached' });
    expect(new URL(page.url()).searchParams.get('text')).toBe('LOOK');
    await page.reload();
    await page.getByRole('link', { name: /^Look around/ }).waitFor();
    expect(await page.getByRole('link', { name: /^note/ }).count()).toBe(0);
    await page.getByLabel('Find in id, state, context').fill('');
    await page.getByLabel('Which runs').selectOption('waiting');
    await page.getByRole('link', { name: /^Look around/ }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^note/ }).waitFor();
    await visitor.leave();
  });

  test(requires('dashboard.page.run'), async ({ world }) => {
    const run = await makeWaiting(world);
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go(`/runs/${run}`);
    const graph = page.locator('.process-graph svg');
    await graph.waitFor();
    expect(await graph.locator('.box.current text').first().textContent()).toBe('review');
    expect(await graph.locator('path.arrow.taken').count()).toBe(1);
    expect(await graph.locator('path.arrow.next').count()).toBe(2);
    expect(await graph.locator('.guard.missing').textContent()).toBe('✗ approved');
    await lookAt(visitor, 'run');
    // The table says the same.
    await page.getByText('As a table').click();
    await page.getByRole('cell', { name: 'review (here)' }).waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('table rows are unaltered').waitFor();
    await page.getByRole('link', { name: 'Decide' }).click();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    // The graph has moved.
    await page.waitForURL((at) => at.pathname === `/runs/${run}`);
    await page.locator('.box.current.over').waitFor();
    expect(await graph.locator('.box.current text').first().textContent()).toBe('done');
    await page.getByText('The run has ended. Nothing is missing.').waitFor();
    // One without a person's turn, and one that is not there.
    visitor.allow(/404/);
    await page.goto(`${visitor.url}/runs/run-none`);
    await page.getByText('RUN_NOT_FOUND').waitFor();
    await page.goto(`${visitor.url}/nowhere`);
    await page.getByText('Page not found').waitFor();
    await visitor.leave();
  });
});

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.abort'), async ({ world }) => {
    const run = await makeWaiting(world);
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go('/');
    await page.getByRole('link', { name: 'Note' }).waitFor();
    await visitor.go(`/runs/${run}`);
    await page.getByRole('button', { name: 'Abort' }).click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByRole('button', { name: 'Abort' }).isDisabled()).toBe(true);
    await dialog.getByLabel(/^Why/).fill('The note is <b>not</b> needed');
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Abort' }).click();
    const notice = page.getByRole('status').filter({ hasText: 'This run was aborted' });
    await notice.getByText('The note is <b>not</b> needed').waitFor();
    await page.locator('.box.current.aborted').waitFor();
    expect(await page.locator('.arrow.next').count()).toBe(0);
    await page.getByText('The run was aborted. It needs nothing more.').waitFor();
    expect(await page.getByText('nothing is missing').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Abort' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Decide' }).count()).toBe(0);
    await lookAt(visitor, 'run-aborted');
    // It is in the lists as such, and nobody is asked about it any more.
    await visitor.go('/runs');
    await page.getByRole('row').filter({ hasText: 'review' }).getByText('aborted', { exact: true }).waitFor();
    await visitor.go('/');
    await page.getByRole('link', { name: 'Note' }).waitFor({ state: 'detached' });
    await visitor.go(`/approvals/${run}`);
    await notice.waitFor();
    expect(await page.getByRole('button', { name: 'Approve' }).count()).toBe(0);
    await visitor.leave();
  });
});

inOneWorld('http', 'postgres', (test) => {
  test(requires('dashboard.page.live'), async ({ world }) => {
    await world.person(['admin', 'add-person', 'ann', '--json']);
    const run = await makeWaiting(world);
    const [me, ann] = [await visit(world), await visit(world, { person: 'ann' })];
    await Promise.all([me.go('/'), ann.go('/')]);
    await me.page.getByRole('link', { name: 'Note' }).waitFor();
    await ann.page.getByRole('link', { name: 'Note' }).waitFor();
    // A second tab of the same browser lives on the first one's stream.
    const tab = await me.context.newPage();
    await tab.goto(me.page.url());
    await tab.getByText('Live', { exact: true }).waitFor();
    await ann.go(`/approvals/${run}`);
    await ann.page.getByRole('button', { name: 'Approve' }).click();
    await ann.page.getByRole('dialog').getByRole('button', { name: 'Approve' }).click();
    for (const page of [me.page, tab]) await page.getByRole('link', { name: 'Note' }).waitFor({ state: 'detached' });
    await me.page.close();
    await tab.getByText('Live', { exact: true }).waitFor();
    await makeWaiting(world, 'Another note.\n');
    await tab.getByRole('link', { name: 'Note' }).waitFor();
    await ann.leave();
    await me.leave();
  });
});

inOneWorld('http', 'sqlite', (test) => {
  test('a daemon that restarts is found again, and what was missed is shown', async ({ world }) => {
    await world.daemon(await lastingPort());
    const visitor = await visit(world);
    const { page, url } = visitor;
    visitor.allow(/ERR_|Failed to fetch|network/);
    await visitor.go('/');
    await page.getByText('Live', { exact: true }).waitFor();
    const { process: daemon } = await world.daemon();
    const ended = once(daemon, 'exit');
    daemon.kill();
    await page.getByText('Reconnecting…').waitFor();
    await ended;
    makeRunOffline(world.project, world.env);
    const again = await world.cli(['up', '--background', '--port', new URL(url).port, '--json']);
    expect(again.json).toMatchObject({ started: true });
    await page.getByText('Live', { exact: true }).waitFor();
    await visitor.go('/runs');
    await page.getByRole('link', { name: /^exploration/ }).waitFor();
    await visitor.leave();
  });
});

function makeRunOffline(cwd: string, env: Readonly<Record<string, string>>): void {
  const bin = join(import.meta.dirname, '../../bin/sekisho');
  const { status } = spawnSync(process.execPath, [bin, 'gate', 'create-run', '--process-id', 'exploration'], {
    cwd,
    env,
  });
  expect(status).toBe(0);
}
