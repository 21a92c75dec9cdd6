import { expect } from 'vitest';
import { requires } from '../e2e/requirements.ts';
import { type Office, openOffice } from '../e2e/work-world.ts';
import { inOneWorld } from '../e2e/world.ts';
import { until } from '../setup/until.ts';
import { visit } from './browser.ts';
import { heldBy } from './held.ts';

const many = 400;

async function makeMany(office: Office, project: string): Promise<void> {
  const tasks = Array.from({ length: 100 }, (_, n) => ({ title: `Task ${n}` }));
  for (let made = 0; made < many; made += tasks.length)
    await office.admin('create_tasks', { project_id: project, tasks });
}

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.long'), async ({ world }) => {
    const office = await openOffice(world);
    await makeMany(office, await office.project('Shop'));
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go('/journal');
    const table = page.getByRole('table', { name: 'Journal' });
    await table.getByRole('cell', { name: 'task.created' }).first().waitFor();
    await expect.poll(() => table.getByRole('row').count()).toBe(51);
    // Each page is longer than the one before; of a long list only what is near is in the page.
    const more = page.getByRole('button', { name: 'Show more' });
    for (const rows of [150, 350]) {
      await more.click();
      await expect.poll(() => table.getAttribute('aria-rowcount')).toBe(String(rows + 1));
    }
    await more.click();
    await more.waitFor({ state: 'detached' });
    expect(Number(await table.getAttribute('aria-rowcount'))).toBeGreaterThan(many);
    await page.evaluate(() => scrollTo(0, 0));
    await expect.poll(() => table.getByRole('row').count()).toBeLessThan(250);
    const first = table.getByRole('cell', { name: '1', exact: true });
    // Rows are measured as they come near, so the end moves while one scrolls to it.
    await expect
      .poll(async () => {
        await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
        return first.count();
      })
      .toBe(1);
    await expect.poll(() => table.getByRole('row').count()).toBeLessThan(250);
    await visitor.leave();
  });

  test(requires('dashboard.page.open-long'), async ({ world }) => {
    const office = await openOffice(world);
    const shop = await office.project('Shop');
    const task = await office.task(shop, 'Step 0', 'todo');
    const [visitor, journal] = [await visit(world), await visit(world)];
    await Promise.all([visitor.go('/board'), journal.go('/journal')]);
    let step = 0;
    const happen = async (times: number) => {
      for (const end = step + times; step < end;)
        await office.admin('update_task', { task_id: task, title: `Step ${(step += 1)}` });
      await visitor.page.getByRole('link', { name: `#1 Step ${step}`, exact: true }).waitFor();
      await journal.page.getByRole('cell', { name: 'task.updated' }).nth(49).waitFor();
    };
    // Everything is loaded, compiled and full by then.
    await happen(60);
    const before = await Promise.all([heldBy(visitor.page), heldBy(journal.page)]);
    await happen(150);
    const more = async () =>
      (await Promise.all([heldBy(visitor.page), heldBy(journal.page)])).map(({ heap, nodes, listeners }, index) => {
        const was = before[index] ?? { heap: 0, nodes: 0, listeners: 0 };
        return { heap: heap - was.heap, nodes: nodes - was.nodes, listeners: listeners - was.listeners };
      });
    // Something that stays of each event would be a hundred and fifty of it, however long one waits for a page to come to rest.
    await until('nothing stays of an event', more, (pages) =>
      pages.every(({ heap, nodes, listeners }) => nodes < 120 && listeners < 120 && heap < 1_000_000),
    );
    await journal.leave();
    await visitor.leave();
  });

  test(requires('dashboard.page.slow'), async ({ world }) => {
    const office = await openOffice(world);
    const shop = await office.project('Shop');
    const visitor = await visit(world);
    const { page } = visitor;
    const brokenOff: string[] = [];
    page.on('requestfailed', (request) => {
      if (request.url().includes('/api/list_journal')) brokenOff.push(request.url());
    });
    await visitor.go('/journal');
    await page.getByText('Live', { exact: true }).waitFor();
    let asked = 0;
    let happens = 0;
    // Each answer takes longer than the next entry is away.
    await page.route('**/api/list_journal?*', async (route) => {
      const seen = happens;
      asked += 1;
      await until('more happened', () => happens > seen + 10 || asked >= 3, Boolean, 60_000);
      await route.continue();
    });
    while (asked < 3) {
      await office.admin('create_task', { project_id: shop, title: `Task ${happens}` });
      happens += 1;
    }
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    expect(brokenOff).toEqual([]);
    await page.getByRole('cell', { name: 'task.created' }).first().waitFor();
    await visitor.leave();
  });
});
