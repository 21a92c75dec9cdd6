import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { makeChange } from '../e2e/dashboard-world.ts';
import { requires } from '../e2e/requirements.ts';
import { type World, inOneWorld } from '../e2e/world.ts';
import { visit } from './browser.ts';
import { lookAt, lookAtDialog } from './look.ts';

const patch = '.sekisho/difference.patch';
const files = { 'a.md': 'First\n', 'b.md': 'Second\n', 'c.md': 'Third\n', 'data.bin': Buffer.from([0, 1, 2, 255]) };

const write = (world: World, text: string) => writeFileSync(join(world.project, 'late.txt'), text);

/** One file of the evidence on the page. */
const item = (page: Page, name: string) =>
  page.locator('article.evidence').filter({ has: page.getByRole('heading', { name, exact: true }) });

const lastEvent = async (world: World, run: string) =>
  (await world.call('state_gate.get_history', { run_id: run })).value['events'].at(-1) as Record<string, any>;

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.reading'), { timeout: 180_000 }, async ({ world }) => {
    const run = await makeChange(world, files);
    write(world, 'added after the run came to review\n');
    const visitor = await visit(world);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    const approve = page.getByRole('button', { name: 'Approve', exact: true });
    await visitor.go(`/approvals/${run}`);
    // The difference is shown as it is now.
    await item(page, patch).getByText('+added after the run came to review').waitFor();
    await item(page, patch).getByText('Current content').waitFor();
    await page.getByText('Open the evidence first: 2 left').waitFor();
    expect(await approve.isDisabled()).toBe(true);
    expect(await page.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(false);
    expect(await item(page, 'c.md').getByText('not opened yet').count()).toBe(1);
    await item(page, 'c.md').getByRole('button', { name: 'Show', exact: true }).click();
    await item(page, 'c.md').getByText('Third').waitFor();
    await page.getByText('Open the evidence first: 1 left').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    const unseen = item(page, 'data.bin').getByRole('checkbox', { name: /^Not shown: data\.bin / });
    await unseen.waitFor();
    expect(await approve.isDisabled()).toBe(true);
    await lookAt(visitor, 'approval-reading');
    await unseen.check();
    await expect.poll(() => approve.isDisabled()).toBe(false);
    // The buttons stay in sight.
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight));
    const box = await approve.boundingBox();
    expect(box?.y).toBeGreaterThanOrEqual(0);
    expect(box?.y).toBeLessThan(200);
    // What changes while the page is open is shown before it can be approved.
    write(world, 'changed while the page was open\n');
    await approve.click();
    await dialog.getByText('The run has changed since you opened this page.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Approve' }).isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await item(page, patch).getByText('+changed while the page was open').waitFor();
    await approve.click();
    await dialog.getByText('not shown', { exact: true }).waitFor();
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await page.waitForURL((at) => at.pathname === `/runs/${run}`);
    const { evidence, event_name: event, to_state: state } = await lastEvent(world, run);
    expect([event, state]).toEqual(['approve', 'done']);
    const digest = evidence.find((one: { path: string }) => one.path === patch).digest as string;
    const shown = await page.evaluate(
      async ([id, path, project]) => {
        const answer = await fetch(`/api/read_evidence?project=${encodeURIComponent(project ?? '')}`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', 'Sekisho-Key': localStorage.getItem('sekisho-key') ?? '' },
          body: JSON.stringify({ run_id: id, path }),
        });
        return ((await answer.json()) as { text: string }).text;
      },
      [run, patch, world.project],
    );
    expect(shown).toContain('+changed while the page was open');
    expect(createHash('sha256').update(shown).digest('hex')).toBe(digest);
    await visitor.leave();
  });

  test(requires('dashboard.page.reject'), async ({ world }) => {
    const run = await makeChange(world, files);
    const visitor = await visit(world);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await visitor.go(`/approvals/${run}`);
    await page.getByText('Open the evidence first: 2 left').waitFor();
    // Nothing was opened, and the work goes on meanwhile.
    write(world, 'before the question\n');
    await page.getByRole('button', { name: 'Reject' }).click();
    await dialog.getByText('Your rejection is for the run as it is now.').waitFor();
    await dialog.getByRole('textbox').fill('Not like this');
    write(world, 'after the question\n');
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.waitForURL((at) => at.pathname === `/runs/${run}`);
    expect(await lastEvent(world, run)).toMatchObject({ event_name: 'reject', to_state: 'work' });
    await visitor.leave();
  });

  test(requires('dashboard.page.not-moved'), { timeout: 180_000 }, async ({ world }) => {
    const [first, second, third] = [
      await makeChange(world, { 'a.md': 'One\n' }, { minCount: 2 }),
      await makeChange(world, { 'a.md': 'Two\n' }, { stays: true }),
      await makeChange(world, { 'a.md': 'Three\n', 'data.bin': files['data.bin'] }, { stays: true }),
    ];
    const visitor = await visit(world);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await visitor.go(`/approvals/${first}`);
    await page.getByText('Waiting for your approval, and for that of at least one more person.').waitFor();
    await page.getByRole('button', { name: 'Approve', exact: true }).click();
    await dialog.getByRole('button', { name: 'Approve' }).click();
    const why = page.getByRole('status').filter({ hasText: 'The run is still in “review”, because:' });
    await why.getByText(/^approved: .*current: 1, required: 2/).waitFor();
    expect(new URL(page.url()).pathname).toBe(`/approvals/${first}`);
    await lookAt(visitor, 'approval-not-moved');
    await page.reload();
    await why.waitFor();
    expect(await page.getByText('This run is not waiting for you').count()).toBe(0);
    // The same where several are approved together.
    await visitor.go('/');
    await page.getByRole('button', { name: 'Change in review: 2 together…' }).click();
    const boxes = dialog.getByRole('checkbox', { name: 'Change', exact: true });
    await dialog.getByRole('button', { name: 'Open the evidence: Change' }).first().click();
    const unseen = dialog.getByRole('checkbox', { name: /^Not shown: data\.bin / });
    await unseen.waitFor();
    expect(await boxes.first().isDisabled()).toBe(true);
    await unseen.check();
    await boxes.first().check();
    // Taken back, it is not approved.
    await unseen.uncheck();
    await expect.poll(() => boxes.first().isChecked()).toBe(false);
    await unseen.check();
    await boxes.first().check();
    await dialog.getByRole('button', { name: 'Open the evidence: Change' }).click();
    await boxes.nth(1).check();
    await lookAtDialog(visitor);
    const button = dialog.getByRole('button', { name: 'Approve 2' });
    const [place, frame] = [await button.boundingBox(), await dialog.boundingBox()];
    expect((place?.y ?? 0) + (place?.height ?? 0)).toBeLessThanOrEqual((frame?.y ?? 0) + (frame?.height ?? 0));
    await button.click();
    const told = dialog.getByText('approved; the run leaves “review” with the next event', { exact: true });
    await expect.poll(() => told.count()).toBe(2);
    for (const run of [second, third])
      expect(await lastEvent(world, run)).toMatchObject({ event_name: 'approve', to_state: 'review' });
    await visitor.go(`/approvals/${second}`);
    await page.getByText('Nothing is missing: the run leaves “review” with the next event (finish).').waitFor();
    await visitor.leave();
  });
});
