import { expect } from 'vitest';
import { makeWaiting } from '../e2e/dashboard-world.ts';
import { requires } from '../e2e/requirements.ts';
import { openOffice } from '../e2e/work-world.ts';
import { inOneWorld } from '../e2e/world.ts';
import { visit } from './browser.ts';
import { lookAt, lookAtDialog } from './look.ts';

inOneWorld('http', 'postgres', (test) => {
  test(requires('dashboard.page.board'), async ({ world }) => {
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go('/board');
    await page.getByText('No tasks yet').waitFor();

    await makeWaiting(world);
    const office = await openOffice(world);
    const shop = await office.project('Shop');
    const [ann, bob] = [await office.agent('Ann', shop), await office.agent('Bob', shop)];
    const schema = await office.task(shop, 'Draw the schema', 'done', { assignee_id: ann.id });
    const login = await office.task(shop, 'Login screen <b>bold</b>', 'todo', {
      assignee_id: ann.id,
      depends_on: [schema],
      process_id: 'note',
      priority: 'urgent',
      labels: ['ui', 'security'],
      description: 'People sign in with a link.\nNo passwords.',
      acceptance: ['A link works once'],
    });
    const pay = await office.task(shop, 'Payments', 'todo', { depends_on: [login], priority: 'high' });
    await office.task(shop, 'Invoices', 'backlog', { depends_on: [pay], parent_id: pay });
    await office.task(shop, 'Old idea', 'cancelled');
    const client = await world.client();
    const token = await office.login(ann, shop, client);
    await world.call('get_my_task', { session_token: token }, client);
    const { value: begun } = await world.call(
      'report_execution_start',
      { session_token: token, task_id: login },
      client,
    );
    world.write('logs/one.log', 'first line\n<b>second</b> line\n');
    await world.call(
      'report_execution_complete',
      {
        session_token: token,
        execution_id: begun['execution_id'],
        exit_code: 0,
        duration_seconds: 3,
        log_file_path: 'logs/one.log',
      },
      client,
    );
    await world.call('save_context', { task_id: login, progress: 'The form is there', next_steps: 'The link' }, client);
    await world.call(
      'create_handoff',
      { task_id: login, from_agent_id: ann.id, to_agent_id: bob.id, summary: 'Please go on with the link' },
      client,
    );

    // It has appeared by itself.
    const column = (name: string) => page.getByRole('region', { name, exact: true });
    await column('In progress').getByRole('link', { name: 'Login screen <b>bold</b>' }).waitFor();
    await column('To do').getByText('Depends on Login screen').waitFor();
    await column('In progress').getByText('Run: write').waitFor();
    await lookAt(visitor, 'board');

    // A move is a dialog, by the key too; what is refused says why.
    await column('To do').getByRole('link', { name: 'Payments' }).focus();
    await page.keyboard.press('m');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Move to').selectOption('in_progress');
    await lookAtDialog(visitor);
    visitor.allow(/409|400/);
    await dialog.getByRole('button', { name: 'Move' }).click();
    await dialog.getByText('DEPENDENCIES_OPEN').waitFor();
    await dialog.getByLabel('Move to').selectOption('backlog');
    await dialog.getByRole('button', { name: 'Move' }).click();
    await column('Backlog').getByRole('link', { name: 'Payments' }).waitFor();
    expect((await office.read(pay))['status']).toBe('backlog');

    // Filters and the view stand in the address.
    await page.getByLabel('Label').fill('ui');
    await page.getByRole('link', { name: 'Payments' }).waitFor({ state: 'detached' });
    await page.getByLabel('View').selectOption('list');
    await page.getByRole('table', { name: 'Tasks' }).waitFor();
    await page.reload();
    await page.getByRole('table', { name: 'Tasks' }).getByRole('link', { name: 'Login screen' }).click();

    // The task: fields, graph, hand-off, work, and what happened in each toolset.
    await page.waitForURL((at) => at.pathname === `/tasks/${login}`);
    const graph = page.locator('.task-graph svg');
    await graph.waitFor();
    expect(await graph.locator('.box').count()).toBe(4);
    expect(await graph.locator('.box.chosen text').first().textContent()).toContain('Login screen');
    await page.getByText('Please go on with the link').waitFor();
    await page.getByRole('region', { name: 'Saved progress' }).getByText('The form is there').waitFor();
    const happened = page.getByRole('region', { name: 'Timeline' });
    for (const kind of ['task.created', 'run.created', 'execution.started', 'handoff.created'])
      await happened.getByText(kind).first().waitFor();
    await page.getByRole('button', { name: 'Log', exact: true }).first().click();
    await page.getByText('<b>second</b> line').waitFor();
    await page.locator('.timeline .bar').nth(3).waitFor();
    await lookAt(visitor, 'task');
    await page.getByText('As a table').first().click();
    await page.getByRole('cell', { name: 'Draw the schema' }).first().waitFor();

    await page.getByRole('button', { name: 'Edit' }).click();
    await dialog.getByLabel('Title').fill('Login by a link');
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('heading', { level: 1, name: 'Login by a link' }).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await dialog.getByText('TASK_').waitFor();
    await page.keyboard.press('Escape');
    await visitor.leave();
  });
});
