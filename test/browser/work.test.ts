import { expect } from 'vitest';
import { requires } from '../e2e/requirements.ts';
import { openOffice } from '../e2e/work-world.ts';
import { inOneWorld } from '../e2e/world.ts';
import { visit } from './browser.ts';
import { lookAt, lookAtDialog } from './look.ts';

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.work'), async ({ world }) => {
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go('/work');
    await page.getByText('No agent is assigned to a project').waitFor();

    const office = await openOffice(world);
    const shop = await office.project('Shop');
    const [ann, bob] = [await office.agent('Ann', shop), await office.agent('Bob')];
    await office.task(shop, 'Login screen', 'todo', { assignee_id: ann.id });
    const client = await world.client();
    const token = await office.login(ann, shop, client);
    await world.call('get_my_task', { session_token: token }, client);
    const who = page.getByRole('table', { name: 'Who works where' });
    await who.getByRole('link', { name: 'Login screen' }).waitFor();
    await lookAt(visitor, 'work');

    // The list has pages: with two on each, the third agent stands on the second.
    await office.agent('Zoe');
    await page.route('**/api/list_agents*', (route) =>
      route.continue({ postData: { ...(route.request().postDataJSON() as object), limit: 2 } }),
    );
    await page.getByRole('button', { name: 'Agents', exact: true }).click();
    const registered = page.getByRole('table', { name: 'Agents' });
    await registered.getByRole('link', { name: 'Bob' }).waitFor();
    expect(await registered.getByRole('link', { name: 'Zoe' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Show more' }).click();
    await registered.getByRole('link', { name: 'Zoe' }).waitFor();
    await page.getByRole('button', { name: 'Projects' }).click();
    await page.getByRole('table', { name: 'Projects' }).getByRole('link', { name: 'Shop' }).click();
    await page.getByRole('button', { name: 'Assign an agent' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Agent').selectOption({ label: 'Zoe' });
    await dialog.getByLabel('Agent').selectOption({ label: 'Bob' });
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Assign' }).click();
    await who.getByRole('link', { name: 'Bob' }).waitFor();
    await lookAt(visitor, 'project');
    await page.getByRole('button', { name: 'Pause' }).click();
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.locator('.head').getByText('paused').waitFor();

    // A new passkey is shown once, and is the one that holds.
    await who.getByRole('link', { name: 'Bob' }).click();
    await page.getByRole('button', { name: 'New passkey' }).click();
    await dialog.getByRole('button', { name: 'New passkey' }).click();
    await dialog.getByText('Save it now').waitFor();
    await lookAtDialog(visitor);
    const passkey = (await dialog.locator('code').textContent()) ?? '';
    expect(passkey).not.toBe(bob.passkey);
    await dialog.getByRole('button', { name: 'Close' }).click();
    await page.getByRole('button', { name: 'Pause' }).click();
    await dialog.getByRole('button', { name: 'Pause' }).click();
    await page.locator('.head').getByText('inactive').waitFor();
    await lookAt(visitor, 'identity');
    await page.getByRole('button', { name: 'Resume' }).click();
    await dialog.getByRole('button', { name: 'Resume' }).click();
    await page.locator('.head').getByText('active', { exact: true }).waitFor();
    await office.admin('set_project_status', { project_id: shop, status: 'active' });
    expect(await office.login({ id: bob.id, passkey }, shop)).toEqual(expect.any(String));
    await visitor.leave();
  });
});
