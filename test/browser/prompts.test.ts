import { requires } from '../e2e/requirements.ts';
import { inOneWorld } from '../e2e/world.ts';
import { visit } from './browser.ts';
import { lookAt, lookAtDialog } from './look.ts';

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.prompts'), async ({ world }) => {
    const visitor = await visit(world);
    const { page } = visitor;
    const dialog = page.getByRole('dialog');
    await visitor.go('/prompt-library');
    await page.getByText('No prompts yet').waitFor();
    await lookAt(visitor, 'prompts-empty');
    await page.getByRole('button', { name: 'Publish a prompt' }).click();
    await dialog.getByLabel('Name').fill('greeting');
    await dialog.getByLabel('Text', { exact: true }).last().fill('Say good morning to {{context.guest}}.\n');
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.waitForURL((at) => at.pathname === '/prompt-library/greeting');
    // The second version shows what it changes before it is published.
    await page.getByRole('button', { name: 'New version' }).click();
    await dialog
      .getByRole('textbox', { name: 'Text' })
      .fill('Say good evening to {{context.guest}}, in {{project.name}}.\n');
    await dialog.getByRole('tab', { name: 'Change' }).click();
    await dialog.locator('ins', { hasText: 'evening' }).waitFor();
    await dialog.getByLabel('What changed').fill('It is late');
    await dialog.getByRole('button', { name: 'Publish' }).click();
    await page.getByText('It is late').waitFor();
    await page.getByRole('tab', { name: 'Changed words' }).click();
    await page.locator('del', { hasText: 'morning' }).waitFor();
    await lookAt(visitor, 'prompt');
    await page.getByRole('tab', { name: 'Preview' }).click();
    await page.getByText('Say good evening to {{context.guest}}, in project.').waitFor();
    await page.getByRole('textbox', { name: /^context.guest/ }).fill('Ann');
    await page.getByText('Say good evening to Ann, in project.').waitFor();
    await lookAt(visitor, 'prompt-preview');
    // Back to the first one, which readers get from then on; somebody else's move is seen too.
    await page.getByRole('button', { name: 'Roll back' }).click();
    await dialog.locator('ins', { hasText: 'morning' }).waitFor();
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Move the label' }).click();
    await page.getByText('production → 1').waitFor();
    await world.person([
      'admin',
      'label-prompt',
      '--prompt',
      'greeting',
      '--label',
      'staging',
      '--version',
      '2',
      '--json',
    ]);
    await page.getByText('staging → 2').waitFor();
    await page.getByRole('button', { name: 'Withdraw' }).click();
    await lookAtDialog(visitor);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('production → 1').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Label… Version 1' }).click();
    await dialog.getByRole('button', { name: 'Move the label' }).click();
    await page.getByText('production → 1').waitFor();
    await visitor.go('/prompt-library');
    await page.getByRole('link', { name: 'greeting' }).waitFor();
    await lookAt(visitor, 'prompts');
    await visitor.leave();
  });
});
