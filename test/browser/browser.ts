import { type Browser, type BrowserContext, type Page, chromium } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { getBrowser } from '../../scripts/get-browser.mjs';
import { makeLink } from '../e2e/dashboard-world.ts';
import type { World } from '../e2e/world.ts';

let started: Promise<Browser> | undefined;

/** One browser a test file; each page has a profile of its own. */
function browser(): Promise<Browser> {
  if (started === undefined) {
    const { program, env } = getBrowser();
    started = chromium.launch({
      executablePath: program,
      timeout: 150_000,
      // As root, and in most containers, there is no other way.
      args: ['--no-sandbox'],
      env: { ...(process.env as Record<string, string>), ...env },
    });
    afterAll(async () => {
      const ending = started;
      // The next file of this worker starts its own.
      started = undefined;
      await (await ending)?.close();
    });
  }
  return started;
}

/** A browser that somebody signed in with, and everything that went wrong in it. */
export interface Visitor {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Of the daemon. */
  readonly url: string;
  /** Goes to a screen of the world's project. */
  go(path: string): Promise<void>;
  /** What the console may say: Chromium calls every refused request an error. */
  allow(pattern: RegExp): void;
  /** Closes it; whatever the page complained of fails the test, violations of its policy included. */
  leave(): Promise<void>;
}

export interface VisitorSettings {
  readonly width?: number;
  readonly height?: number;
  readonly person?: string;
}

export async function visit(world: World, settings: VisitorSettings = {}): Promise<Visitor> {
  await world.daemon();
  const context = await (
    await browser()
  ).newContext({
    viewport: { width: settings.width ?? 1280, height: settings.height ?? 900 },
    locale: 'en-US',
    reducedMotion: 'reduce',
    // One that the tests made themselves: see tls-proxy.ts.
    ignoreHTTPSErrors: true,
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  // As for every test: no promise about speed.
  context.setDefaultTimeout(100_000);
  const page = await context.newPage();
  const complaints: string[] = [];
  const allowed: RegExp[] = [];
  const complain = (text: string) => {
    if (!allowed.some((one) => one.test(text))) complaints.push(text);
  };
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complain(message.text());
  });
  page.on('pageerror', (error) => complain(String(error)));
  const link = await makeLink(world, settings.person === undefined ? [] : ['--person', settings.person]);
  const url = new URL(link).origin;
  await page.goto(link);
  await page.getByRole('heading', { level: 1 }).waitFor();
  return {
    page,
    context,
    url,
    async go(path) {
      const address = new URL(path, url);
      address.searchParams.set('project', world.project);
      await page.goto(address.href);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
    allow: (pattern) => void allowed.push(pattern),
    async leave() {
      await context.close();
      expect(complaints).toEqual([]);
    },
  };
}
