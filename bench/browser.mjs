import { chromium } from 'playwright-core';
import { getBrowser } from '../scripts/get-browser.mjs';

/** A real Chromium. `signIn` opens a page in a profile of its own, in which a person is signed in. */
export async function openBrowser(project) {
  const { program, env } = getBrowser();
  const browser = await chromium.launch({
    executablePath: program,
    // Root cannot start it in its sandbox.
    args: process.getuid?.() === 0 ? ['--no-sandbox'] : [],
    env: { ...process.env, ...env },
  });
  return {
    async signIn() {
      const link = project.runAsPerson(['open', '--print']);
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, locale: 'en-US' });
      const page = await context.newPage();
      await page.goto(link.trim());
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
    close: () => browser.close(),
  };
}
