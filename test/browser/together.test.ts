import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { makeWaiting } from '../e2e/dashboard-world.ts';
import { requires } from '../e2e/requirements.ts';
import { openOffice } from '../e2e/work-world.ts';
import { inOneWorld } from '../e2e/world.ts';
import { until } from '../setup/until.ts';
import { visit } from './browser.ts';

const worlds = [
  ['stdio', 'sqlite'],
  ['http', 'postgres'],
] as const;

describe.each(worlds)('two browsers and three agents (%s, %s)', (surface, database) => {
  inOneWorld(surface, database, (test) => {
    test(requires('dashboard.page.together'), async ({ world }) => {
      await world.person(['admin', 'add-person', 'ann', '--json']);
      const office = await openOffice(world);
      const shop = await office.project('Shop');
      const names = ['Login', 'Payments', 'Invoices'];
      const agents = await Promise.all(
        names.map(async (name) => {
          const agent = await office.agent(`${name} developer`, shop);
          const task = await office.task(shop, name, 'todo', { assignee_id: agent.id });
          return { ...agent, task, client: await world.client({ name }) };
        }),
      );
      const [me, ann] = [await visit(world), await visit(world, { person: 'ann' })];
      const visitors = [me, ann];
      await Promise.all(visitors.map((one) => one.go('/board')));
      const both = (look: (page: Page) => Promise<unknown>) => Promise.all(visitors.map(({ page }) => look(page)));

      // All three begin at once; both people see all of it.
      await Promise.all(
        agents.map(async (agent) => {
          const token = await office.login(agent, shop, agent.client);
          await world.call('get_my_task', { session_token: token }, agent.client);
        }),
      );
      await both(async (page) => {
        const column = page.getByRole('region', { name: 'In progress', exact: true });
        for (const name of names) await column.getByRole('link', { name, exact: true }).waitFor();
      });

      // One agent hands over to another, who sees it, as both people do.
      const [first, second] = agents;
      if (first === undefined || second === undefined) throw new Error('three are there');
      const handed = { task_id: first.task, from_agent_id: first.id, to_agent_id: second.id, summary: 'Go on, please' };
      await world.call('create_handoff', handed, first.client);
      const { value } = await world.call('get_pending_handoffs', { agent_id: second.id }, second.client);
      expect(JSON.stringify(value)).toContain('Go on, please');
      await Promise.all(visitors.map((one) => one.go(`/tasks/${first.task}`)));
      await both((page) => page.getByText('Go on, please').first().waitFor());

      // What one person changes the other one sees, and every agent.
      await me.page.getByRole('button', { name: 'Edit' }).click();
      await me.page.getByRole('dialog').getByLabel('Title').fill('Login by a link');
      await me.page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await both((page) => page.getByRole('heading', { level: 1, name: 'Login by a link' }).waitFor());
      for (const { client } of agents)
        expect((await world.call('get_task', { task_id: first.task }, client)).value['task'].title).toBe(
          'Login by a link',
        );
      await world.call('save_context', { task_id: first.task, progress: 'Half of it' }, first.client);
      const stands = (page: Page) => page.getByRole('region', { name: 'Saved progress' });
      await both((page) => stands(page).getByText('Half of it').waitFor());

      // Both say yes to the same thing at the same moment.
      const run = await makeWaiting(world);
      await Promise.all(visitors.map((one) => one.go(`/approvals/${run}`)));
      for (const one of visitors) one.allow(/409/);
      const yes = (page: Page) => page.getByRole('dialog').getByRole('button', { name: 'Approve' });
      await both(async (page) => {
        await page.getByRole('button', { name: 'Approve' }).click();
        await page.getByRole('dialog').getByText('note.md').waitFor();
      });
      await both((page) => yes(page).click());
      const settled = (page: Page) =>
        until(
          'an answer',
          async () => ({
            won: new URL(page.url()).pathname === `/runs/${run}`,
            told: await page.getByRole('dialog').getByRole('alert').allInnerTexts(),
          }),
          ({ won, told }) => won || told.length > 0,
        );
      const outcomes = await Promise.all(visitors.map(({ page }) => settled(page)));
      const losers = outcomes.filter(({ won }) => !won);
      expect(losers).toHaveLength(1);
      expect(losers[0]?.told).toHaveLength(1);
      expect(losers[0]?.told[0]).toMatch(/REVISION_CONFLICT|INVALID_EVENT/);
      const history = await world.call('state_gate.get_history', { run_id: run });
      expect(history.text.match(/"approve"/g)).toHaveLength(1);
      // Whoever was late is shown how it stands now.
      const late = visitors[outcomes.findIndex(({ won }) => !won)];
      await late?.page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
      await late?.page.getByText('This run is not waiting for you').waitFor();
      await ann.leave();
      await me.leave();
    });
  });
});
