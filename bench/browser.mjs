import { spawnSync } from 'node:child_process';
import { chromium } from 'playwright-core';
import { getBrowser } from '../scripts/get-browser.mjs';
import { person } from './project.mjs';

/** A real Chromium. `signIn` gives a page of a profile of its own in which a person is signed in. */
export async function openBrowser(product, project) {
  const { program, env } = getBrowser();
  const browser = await chromium.launch({
    executablePath: program,
    // As root there is no other way. Memory is looked at after a collection.
    args: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), '--js-flags=--expose-gc'],
    env: { ...process.env, ...env },
  });
  return {
    async signIn() {
      const { stdout, stderr } = spawnSync(process.execPath, [product.bin, 'open', '--print'], {
        cwd: project.root,
        env: { ...project.env, ...person },
        encoding: 'utf8',
      });
      if (!stdout.includes('#')) throw new Error(stderr);
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
      const page = await context.newPage();
      await page.goto(stdout.trim());
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
    close: () => browser.close(),
  };
}
