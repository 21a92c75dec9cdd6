import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import { makeWaiting } from '../e2e/dashboard-world.ts';
import { requires } from '../e2e/requirements.ts';
import { inOneWorld } from '../e2e/world.ts';
import { visit } from './browser.ts';
import { lookAt } from './look.ts';

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.journal'), async ({ world }) => {
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go('/journal');
    await page.getByText('Live', { exact: true }).waitFor();
    expect(await page.getByRole('cell', { name: 'run.created' }).count()).toBe(0);
    // Entries come by themselves; a run is a link.
    const run = await makeWaiting(world);
    await page.getByRole('cell', { name: 'run.created' }).waitFor();
    await page.getByRole('cell', { name: 'unverified' }).first().waitFor();
    await page.getByText('Show', { exact: true }).first().click();
    await page.locator('.json').first().waitFor();
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('table rows are unaltered').waitFor();
    await lookAt(visitor, 'journal');
    // Filters stand in the address.
    await page.getByLabel('Kind', { exact: true }).selectOption('hook.');
    await page.getByText('No entry matches these filters').waitFor();
    expect(new URL(page.url()).searchParams.get('kind')).toBe('hook.');
    await page.getByLabel('Kind', { exact: true }).selectOption('run.');
    await page.getByLabel('About (id)').fill(run);
    await page.getByRole('cell', { name: 'run.created' }).waitFor();
    // By time too; what is shown is exported as it is, a line an entry.
    await page.getByLabel('From').fill('2100-01-01T00:00');
    await page.getByText('No entry matches these filters').waitFor();
    await page.getByLabel('From').fill('2020-01-01T00:00');
    await page.getByRole('cell', { name: 'run.created' }).waitFor();
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export' }).click();
    const lines = readFileSync(await (await saved).path(), 'utf8')
      .trim()
      .split('\n');
    const entries = lines.map((line) => JSON.parse(line) as { kind: string; subject: string });
    expect(entries.map((one) => one.kind)).toEqual(['run.created', 'run.event']);
    expect(entries.every((one) => one.subject === run)).toBe(true);
    // A head that never was in it turns the light red.
    await page.getByLabel('Saved head hash (optional)').fill('0'.repeat(64));
    await page.getByRole('button', { name: 'Verify' }).click();
    await page.getByText('The saved head hash is not in the journal').waitFor();
    await page.getByRole('link', { name: run }).first().click();
    await page.waitForURL((at) => at.pathname === `/runs/${run}`);
    await visitor.leave();
  });
});
