import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { callApi, makeLink, makeWaiting } from '../e2e/dashboard-world.ts';
import { ended, furnish, start } from '../e2e/fleet-world.ts';
import { requires } from '../e2e/requirements.ts';
import { openOffice } from '../e2e/work-world.ts';
import { inOneWorld } from '../e2e/world.ts';
import { visit } from './browser.ts';
import { faults, lookAt, lookAtDialog } from './look.ts';

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.sign-in'), async ({ world }) => {
    await world.daemon();
    const visitor = await visit(world);
    const { page, context, url } = visitor;
    expect(page.url().startsWith(`${url}/`)).toBe(true);
    expect(page.url()).not.toContain('#');
    expect(await page.evaluate(() => document.cookie)).toBe('');
    await page.reload();
    await page.getByRole('heading', { name: 'Inbox' }).waitFor();
    const tab = await context.newPage();
    await tab.goto(`${url}/runs`);
    await tab.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    // Somebody else's browser, with a link that was used.
    visitor.allow(/401/);
    const link = await makeLink(world);
    await tab.goto(link);
    await tab.getByRole('heading', { name: 'Inbox' }).waitFor();
    await page.goto(link);
    await page.getByText('This link has been used').waitFor();
    await page.getByText('sekisho open', { exact: true }).waitFor();
    expect(await faults(page)).toEqual([]);
    await page.goto(url);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You are signed out').waitFor();
    await page.reload();
    await page.getByText('You are signed out').waitFor();
    await visitor.leave();
  });

  test(requires('dashboard.page.two-ports'), async ({ world }) => {
    const visitor = await visit(world);
    const { page, context, url } = visitor;
    let cookie = '';
    const thief = createServer((request, response) => {
      cookie = request.headers.cookie ?? cookie;
      response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>dev server</title>');
    }).listen(0, '127.0.0.1');
    await once(thief, 'listening');
    const other = `http://127.0.0.1:${(thief.address() as AddressInfo).port}`;
    const tab = await context.newPage();
    await tab.goto(other);
    // The cookie came along: cookies know no ports. The key did not.
    expect(cookie).toMatch(/^sekisho-\d+=/);
    expect(await tab.evaluate(() => localStorage.getItem('sekisho-key'))).toBeNull();
    const key = await page.evaluate(() => localStorage.getItem('sekisho-key') ?? '');
    expect((await callApi({ url, cookie, key: 'guess' }, 'get_session')).status).toBe(401);
    expect((await callApi({ url, cookie, key }, 'get_session', {}, { Origin: other })).status).toBe(403);
    const fromPage = await tab.evaluate(
      (address) =>
        fetch(address, {
          method: 'POST',
          credentials: 'include',
          headers: { 'Content-Type': 'text/plain' },
          body: '{}',
        }).then(
          () => 'read',
          () => 'refused',
        ),
      `${url}/api/get_session`,
    );
    expect(fromPage).toBe('refused');
    thief.close();
    await visitor.leave();
  });

  test(requires('dashboard.page.inbox'), async ({ world }) => {
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go('/');
    await page.getByText('Nothing waits for you').waitFor();
    await lookAt(visitor, 'inbox-empty');
    // It appears by itself, in the menu and in the title of the tab too.
    await makeWaiting(world, 'The note.\n', { title: 'Spring release' });
    await page.getByRole('link', { name: 'Note: Spring release' }).waitFor();
    await page.getByText('note.md').waitFor();
    await page.waitForFunction(() => document.title === '(1) Sekisho');
    await lookAt(visitor, 'inbox');
    // A definition that nobody saw: looked at, then trusted.
    await page.getByRole('button', { name: 'Review', exact: true }).click();
    await page.getByText('has_note').first().waitFor();
    await lookAtDialog(visitor);
    await page.getByRole('button', { name: 'Trust exactly this' }).click();
    await page.getByRole('button', { name: 'Review', exact: true }).waitFor({ state: 'detached' });
    // Two of a kind are answered together, each after it was opened.
    await makeWaiting(world, 'Another note.\n', { title: 'Summer release' });
    await page.getByRole('button', { name: 'Note in review: 2 together…' }).click();
    const dialog = page.getByRole('dialog');
    const box = (name: string) => dialog.getByRole('checkbox', { name });
    const [summer, spring] = [box('Summer release'), box('Spring release')];
    expect(await summer.isDisabled()).toBe(true);
    await dialog.getByRole('button', { name: 'Open the evidence: Summer release' }).click();
    await dialog.getByText('Another note.').waitFor();
    await summer.check();
    expect(await spring.isDisabled()).toBe(true);
    expect(await faults(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Approve 1' }).click();
    await dialog.getByText('approved', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('link', { name: 'Note: Summer release' }).waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'Note: Spring release' }).waitFor();
    // Keys: the list of them, and the way to a screen.
    await page.keyboard.press('?');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'hidden' });
    await page.keyboard.press('j');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Approve', exact: true }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    await visitor.leave();
  });

  test(requires('dashboard.page.matters'), async ({ world }) => {
    const upstream = '  gone: { command: ["/nowhere/at-all"] }';
    furnish(world, `upstreams:\n${upstream}\n`);
    const office = await openOffice(world);
    const project = await office.project('p');
    const [one, other] = [await office.agent('one', project), await office.agent('other', project)];
    const task = await office.task(project, 'Blocked <b>one</b>', 'blocked');
    const handed = await office.task(project, 'Handed over', 'todo', { assignee_id: one.id });
    const handoff = { task_id: handed, from_agent_id: one.id, to_agent_id: other.id, summary: 'Only tests are left' };
    await office.admin('create_handoff', handoff);
    const [agent = ''] = await start(world, 'crash-after-three-lines', 'go');
    await ended(world, [agent]);
    await world.call('upstream.status', { check: true }, office.person);
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go('/');
    await page.getByRole('heading', { name: 'Needs attention' }).waitFor();
    const leadsTo = (name: string) => page.getByRole('link', { name }).getAttribute('href');
    expect(await leadsTo('Blocked <b>one</b>')).toContain(`/tasks/${task}?`);
    expect(await leadsTo('Handed over')).toContain(`/tasks/${handed}?`);
    expect(await leadsTo('crash-after-three-lines')).toContain(`/fleet/agents/${agent}?`);
    expect(await leadsTo('gone')).toContain('/upstreams/gone?');
    await page.getByText('one hands the task over to other: Only tests are left').waitFor();
    await lookAt(visitor, 'inbox-matters');
    // What is settled goes by itself.
    await office.move(task, 'in_progress');
    await page.getByRole('link', { name: 'Blocked <b>one</b>' }).waitFor({ state: 'detached' });
    await visitor.leave();
  });

  test(requires('dashboard.page.approval'), async ({ world }) => {
    const run = await makeWaiting(world, '# Note\n\nOne\n');
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go(`/approvals/${run}`);
    await page.getByText('Unchanged since it was submitted').waitFor();
    await page.getByText('# Note').waitFor();
    // The reason that an agent gets is not for the person who can approve right here.
    const conditions = page.getByRole('region', { name: 'Conditions' });
    await conditions.getByText('Waiting for your approval.').waitFor();
    expect(await conditions.getByText('sekisho approve').count()).toBe(0);
    await lookAt(visitor, 'approval');
    writeFileSync(join(world.project, 'note.md'), 'Another one\n');
    await page.reload();
    await page.getByText('The working copy has changed since').waitFor();
    await page.getByRole('tab', { name: 'Difference to the working copy' }).click();
    await page.getByText('Another one').first().waitFor();
    // A no needs a reason, and sends it back.
    await page.getByRole('button', { name: 'Reject' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('note.md').waitFor();
    expect(await dialog.getByRole('button', { name: 'Reject' }).isDisabled()).toBe(true);
    await dialog.getByRole('textbox').fill('Say more about two');
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Reject' }).click();
    await page.waitForURL((at) => at.pathname === `/runs/${run}`);
    await page.getByRole('blockquote').getByText('Say more about two').waitFor();
    // The next version comes with the difference to the one before.
    const second = await world.call('state_gate.emit_event', {
      run_id: run,
      event_name: 'submit',
      expected_revision: 2,
      idempotency_key: 'second',
      artifact_paths: ['note.md'],
    });
    expect(second.value['result']).toMatchObject({ accepted: true });
    await visitor.go(`/approvals/${run}`);
    await page.getByRole('tab', { name: 'Changes since version 1' }).waitFor();
    await page.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByText('note.md').waitFor();
    // Somebody else was faster, while the question stood.
    const faster = await world.person(['admin', 'reject', '--run-id', run, '--comment', 'no', '--json']);
    expect(faster.code).toBe(0);
    visitor.allow(/409/);
    await dialog.getByRole('button', { name: 'Approve' }).click();
    await dialog.getByText(/REVISION_CONFLICT|INVALID_EVENT/).waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await page.getByText('This run is not waiting for you').waitFor();
    await visitor.leave();
  });
});
