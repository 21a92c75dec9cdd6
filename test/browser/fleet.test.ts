import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { furnish, running, status, steps } from '../e2e/fleet-world.ts';
import { requires } from '../e2e/requirements.ts';
import { type World, inOneWorld } from '../e2e/world.ts';
import { visit } from './browser.ts';
import { lookAt, lookAtDialog } from './look.ts';

async function rolesOf(world: World): Promise<object | undefined> {
  const { roles } = (await world.call('list_roles')).value as { roles: { id: string }[] };
  return roles.find((one) => one.id === 'scripted');
}

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.fleet'), async ({ world }) => {
    furnish(world);
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go('/fleet');
    await page.getByText('No groups yet').waitFor();

    const go = join(world.project, 'go');
    const end = {
      type: 'result',
      is_error: false,
      result: 'Read it.',
      usage: { input_tokens: 1500, output_tokens: 300 },
      total_cost_usd: 0.25,
    };
    const { value: made } = await world.call('create_group', { description: 'Review <i>all</i> of it' });
    const { value } = await world.call('run_agents', {
      groupId: made['groupId'],
      agents: [
        { role: 'scripted', prompt: steps({ print: 'hello' }, { stream: end }) },
        {
          role: 'scripted',
          prompt: steps(
            { print: 'first \u001b[31mred\u001b[0m line' },
            { until: go },
            { print: 'second line' },
            { sleep: 600_000 },
          ),
        },
        { role: 'crash-after-three-lines', prompt: 'Fail, please.' },
      ],
    });
    const ids = (value['agents'] as { agentId: string }[]).map((one) => one.agentId);
    const slow = ids[1] ?? '';
    await running(world, slow);

    // It has appeared by itself.
    const groups = page.getByRole('table', { name: 'Groups' });
    await groups.getByRole('link', { name: 'Review <i>all</i> of it' }).waitFor();
    await groups.getByText('1 completed').waitFor();
    await groups.getByText('1 failed').waitFor();
    await groups.getByText('$0.25').waitFor();
    await lookAt(visitor, 'fleet');
    await page.getByRole('button', { name: 'Roles' }).click();
    await page.getByRole('table', { name: 'Roles' }).getByText('usable', { exact: true }).first().waitFor();
    await lookAt(visitor, 'fleet-roles');
    // A role is written into the file, and holds when the file has been looked at.
    const dialog = page.getByRole('dialog');
    await page.getByRole('button', { name: 'Edit scripted' }).click();
    await dialog.getByLabel('Name').fill('The scripted one');
    await dialog.getByLabel('Permissions').selectOption('read');
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('+    name: The scripted one').waitFor();
    expect(await rolesOf(world)).toMatchObject({ name: 'scripted', permissions: 'full' });
    await dialog.getByRole('button', { name: 'Trust exactly this' }).click();
    await page.getByRole('table', { name: 'Roles' }).getByText('The scripted one').waitFor();
    expect(await rolesOf(world)).toMatchObject({ name: 'The scripted one', permissions: 'read' });
    // Somebody else wrote the file meanwhile.
    await page.getByRole('button', { name: 'Edit scripted' }).click();
    await dialog.getByLabel('Name').fill('Too late');
    const file = join(world.project, '.sekisho/config.yaml');
    writeFileSync(file, `${readFileSync(file, 'utf8')}# mine\n`);
    visitor.allow(/40\d/);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('ROLE_FILE_CHANGED').waitFor();
    await page.keyboard.press('Escape');
    // One that comes with Sekisho is in no file.
    await page.getByRole('button', { name: 'Edit impl-code' }).click();
    await dialog.getByLabel('Name').waitFor();
    expect(await dialog.getByRole('button', { name: 'Delete role' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    // What follows is said, and it is gone when the file has been looked at.
    await page.getByRole('button', { name: 'Edit scripted' }).click();
    await dialog.getByRole('button', { name: 'Delete role' }).click();
    await dialog.getByText('1 agent(s) with this role, in 1 group(s), are queued or running').waitFor();
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Delete it' }).click();
    await dialog.getByText('-    name: The scripted one').waitFor();
    expect(await rolesOf(world)).toBeDefined();
    await dialog.getByRole('button', { name: 'Trust exactly this' }).click();
    await page.getByRole('button', { name: 'Edit scripted' }).waitFor({ state: 'detached' });
    expect(await rolesOf(world)).toBeUndefined();
    await page.getByRole('button', { name: 'Agents' }).click();
    await page.getByLabel('State').selectOption('failed');
    await page
      .getByRole('link', { name: /^scripted/ })
      .first()
      .waitFor({ state: 'detached' });
    await page.getByRole('link', { name: /^crash-after/ }).waitFor();

    // The group over time.
    await page.getByRole('button', { name: 'Groups' }).click();
    await groups.getByRole('link', { name: 'Review' }).click();
    await page.getByText('1.5K in, 300 out').first().waitFor();
    expect(await page.locator('.timeline .bar').count()).toBe(3);
    expect(await page.locator('.timeline .bar.live').count()).toBe(1);
    await lookAt(visitor, 'group');
    await page.getByText('As a table').click();
    await page.getByRole('cell', { name: 'running' }).first().waitFor();

    // The agent, its log as it comes, and its end.
    await page.getByRole('link', { name: `scripted ${slow.slice(-4)}` }).click();
    const log = page.getByRole('region', { name: 'Log' });
    await log.getByText('first red line').waitFor();
    world.write('go', '');
    await log.getByText('second line', { exact: true }).waitFor();
    await lookAt(visitor, 'agent');
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await lookAtDialog(visitor);
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel them' }).click();
    await page.locator('.head').getByText('cancelled').waitFor();
    expect((await status(world, slow))['status']).toBe('cancelled');
    await visitor.leave();
  });
});
