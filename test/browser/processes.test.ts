import { expect } from 'vitest';
import { makeWaiting } from '../e2e/dashboard-world.ts';
import { requires } from '../e2e/requirements.ts';
import { inOneWorld } from '../e2e/world.ts';
import { visit } from './browser.ts';
import { lookAt, lookAtDialog } from './look.ts';

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.processes'), async ({ world }) => {
    const run = await makeWaiting(world, 'The note.\n', { title: 'Spring release' });
    world.write('.sekisho/processes/broken.yaml', 'process: { id: broken, version: "1"\n');
    world.write(
      '.sekisho/processes/odd.yaml',
      `process: { id: odd, version: "1", name: Odd, initial_state: begin }
states: [{ name: begin }, { name: done, is_final: true }]
events: [{ name: finish }, { name: never }]
transitions: [{ from: begin, event: finish, to: done }]
`,
    );
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go('/processes');
    await page.getByText('.sekisho/processes/broken.yaml').waitFor();
    await page.getByText(/^\d+:\d+ YAML/).waitFor();
    await lookAt(visitor, 'processes');
    await page.getByRole('link', { name: 'note', exact: true }).click();
    await page.locator('.process-graph svg').waitFor();
    await page.getByText('This file has not been reviewed').waitFor();
    expect(await page.locator('.process-graph .box').count()).toBe(3);
    await page.getByText('No problems found.').waitFor();
    await lookAt(visitor, 'process');
    await page.getByRole('button', { name: 'Review the change' }).click();
    await page.getByText('has_note').first().waitFor();
    await lookAtDialog(visitor);
    await page.getByRole('button', { name: 'Trust exactly this' }).click();
    await page.getByText('The file has not changed since a person last reviewed it.').waitFor();
    await page.getByText('Reviewed by').waitFor();
    await page.getByRole('button', { name: 'New run' }).click();
    await page.getByRole('option', { name: 'Note (note 1)', selected: true }).waitFor({ state: 'attached' });
    await page.keyboard.press('Escape');
    await page.getByRole('link', { name: 'Spring release' }).click();
    await page.waitForURL((at) => at.pathname === `/runs/${run}`);
    await visitor.go('/processes/odd');
    await page.getByText('UNUSED_EVENT').waitFor();
    await page.getByText('This process has no runs yet.').waitFor();
    visitor.allow(/404/);
    await visitor.page.goto(`${visitor.url}/processes/none`);
    await page.getByText('PROCESS_NOT_FOUND').waitFor();
    await visitor.leave();
  });
});
