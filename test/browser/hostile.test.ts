import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { callApi, makeWaiting, signIn } from '../e2e/dashboard-world.ts';
import { requires } from '../e2e/requirements.ts';
import { inOneWorld } from '../e2e/world.ts';
import { visit } from './browser.ts';

inOneWorld('http', 'sqlite', (test) => {
  test(requires('dashboard.page.hostile'), async ({ world }) => {
    const bidi = '\u202e';
    const note = `<img src=x onerror="document.title='owned'"><script>document.title='owned'</script>\n${bidi}reversed\n\u001b[31mred\n[a](javascript:alert(1))\n`;
    const run = await makeWaiting(world, note, { title: `<b>bold</b>${bidi}` });
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go(`/approvals/${run}`);
    await page.getByText('<img src=x').waitFor();
    await page.getByText('U+202E').first().waitFor();
    await page.getByText('U+001B').waitFor();
    expect(await page.title()).not.toContain('owned');
    expect(await page.locator('.lines img, .lines script, .lines a').count()).toBe(0);
    await visitor.go('/');
    await page.getByText('<b>bold</b>').waitFor();
    // Much more than anybody reads stays a page that answers.
    writeFileSync(join(world.project, 'note.md'), `${'x'.repeat(500)}\n`.repeat(2000));
    await visitor.go(`/approvals/${run}`);
    await page.getByRole('tab', { name: 'Difference to the working copy' }).click();
    await page.locator('.line.added').first().waitFor();
    expect(await page.locator('.line').count()).toBeLessThan(200);
    await visitor.leave();
  });

  test(requires('dashboard.page.hostile-files'), async ({ world }) => {
    await makeWaiting(world);
    const files = {
      'page.html': '<!doctype html><script>document.title="owned"</script><h1>Hello</h1>\n',
      'drawing.svg':
        '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=\'owned\'"><script>alert(1)</script></svg>\n',
      // No image, whatever its name says.
      'photo.png': '<svg xmlns="http://www.w3.org/2000/svg" onload="document.title=\'owned\'"/>\n',
      'large.txt': 'x'.repeat(50 * 2 ** 20),
      'wide.json': JSON.stringify(Object.fromEntries(Array.from({ length: 40_000 }, (_, n) => [`key ${n}`, n]))),
      'deep.json': `${'['.repeat(200_000)}${']'.repeat(200_000)}`,
      'odd.txt': '\u202e'.repeat(200_000),
    };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(world.project, name), text);
    const { value } = await world.call('state_gate.create_run', { process_id: 'note' });
    const run = value['run_id'] as string;
    const given = await world.call('state_gate.emit_event', {
      run_id: run,
      event_name: 'submit',
      expected_revision: 0,
      idempotency_key: 'files',
      artifact_paths: ['note.md', ...Object.keys(files)],
    });
    expect(given.isError, given.text).toBe(false);
    const visitor = await visit(world);
    const { page } = visitor;
    await visitor.go(`/approvals/${run}`);
    const file = (name: string) =>
      page.locator('article.evidence').filter({ has: page.getByRole('heading', { name, exact: true }) });
    for (const name of ['note.md', ...Object.keys(files)]) {
      const show = file(name).getByRole('button', { name: 'Show', exact: true });
      await file(name).waitFor();
      if ((await show.count()) > 0) await show.click();
    }
    await file('page.html').getByText('<h1>Hello</h1>').waitFor();
    await file('drawing.svg').getByText('<svg xmlns').waitFor();
    await file('photo.png').getByText('<svg xmlns').waitFor();
    await file('large.txt').getByText('The content was not kept').waitFor();
    expect(await page.locator('.evidence img, .evidence svg, .evidence script').count()).toBe(0);
    await page.getByText('196,000 more characters').click();
    await page.getByText('192,000 more characters').waitFor();
    // The page still answers after the widest and the deepest.
    for (const tab of await page.getByRole('tab', { name: 'JSON' }).all()) await tab.click();
    await page.getByText('key 199', { exact: true }).waitFor();
    expect(await page.getByText('key 200', { exact: true }).count()).toBe(0);
    expect(await page.locator('main *').count()).toBeLessThan(60_000);
    expect(await page.title()).not.toContain('owned');
    // And what is too much to be kept says so, while a person can still decide.
    await file('large.txt')
      .getByRole('checkbox', { name: /^Not shown: large\.txt/ })
      .waitFor();
    for (const box of await page.getByRole('checkbox', { name: /^Not shown: / }).all()) await box.check();
    await page.getByRole('button', { name: 'Approve' }).click();
    await page.getByRole('dialog').getByText('large.txt').waitFor();
    await visitor.leave();
  });

  test(requires('dashboard.page.second-user'), async ({ world }) => {
    await world.person(['admin', 'add-person', 'ann', '--json']);
    const [me, ann] = [await visit(world), await visit(world, { person: 'ann' })];
    await me.page
      .getByText(/^(os:)?(?!ann).+$/)
      .first()
      .waitFor();
    // What one browser holds is worth nothing with the half of another one.
    const mine = await signIn(world);
    const hers = await signIn(world, ['--person', 'ann']);
    for (const mixed of [
      { ...mine, key: hers.key },
      { ...hers, key: mine.key },
    ])
      expect((await callApi(mixed, 'get_session')).status).toBe(401);
    // Nothing of one person's page is in the other's storage, and going out ends only one's own session.
    const keyOf = (visitor: typeof me) => visitor.page.evaluate(() => localStorage.getItem('sekisho-key'));
    expect(await keyOf(me)).not.toBe(await keyOf(ann));
    ann.allow(/401/);
    await ann.page.getByRole('button', { name: 'Sign out' }).click();
    await ann.page.getByText('You are signed out').waitFor();
    expect(await keyOf(ann)).toBeNull();
    await me.go('/runs');
    await me.page.getByRole('heading', { name: 'Runs', exact: true }).waitFor();
    expect((await callApi(hers, 'get_session')).status).toBe(200);
    await ann.leave();
    await me.leave();
  });
});
