import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Visitor } from './browser.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
/** Where screenshots are kept, for whoever wants to look. */
const shots = process.env['SEKISHO_SCREENSHOTS'];

/** Contrast is a matter of the theme, words are one of the language: each is seen once. */
const ways = [
  ['light', 'en'],
  ['dark', 'ja'],
] as const;
const telephone = { width: 390, height: 844 };

/**
 * Looks at a screen as it is now: accessible in both themes and both languages, nothing over another thing, and no wider than
 * a telephone. `name` is that of its screenshots (SEKISHO_SCREENSHOTS=folder).
 */
export async function lookAt({ page }: Visitor, name: string): Promise<void> {
  for (const [theme, lang] of ways) {
    await prefer(page, theme, lang);
    const where = `${name} ${theme} ${lang}`;
    expect(await faults(page), where).toEqual([]);
    expect(await overlaps(page), where).toEqual([]);
    await shoot(page, `${name}-${theme}-${lang}`);
  }
  const size = page.viewportSize();
  for (const [width, lang] of [
    [390, 'en'],
    [390, 'ja'],
    [900, 'en'],
  ] as const) {
    await prefer(page, 'light', lang);
    await page.setViewportSize({ ...telephone, width });
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${name} ${lang}`).toBeLessThanOrEqual(
      width,
    );
    expect(await overlaps(page), `${name} ${width} ${lang}`).toEqual([]);
    await shoot(page, `${name}-${width}-${lang}`);
  }
  await page.setViewportSize(size ?? { width: 1280, height: 900 });
  await prefer(page, 'light', 'en');
}

/** Looks at the dialog that is open: accessible in both themes, and inside of a telephone's screen. */
export async function lookAtDialog({ page }: Visitor): Promise<void> {
  const root = page.locator('html');
  const before = await root.getAttribute('data-theme');
  for (const [theme] of ways) {
    // The menu behind a dialog cannot be used.
    await root.evaluate((html, chosen) => html.setAttribute('data-theme', chosen), theme);
    expect(await faults(page, 'dialog[open]'), theme).toEqual([]);
  }
  await root.evaluate((html, chosen) => html.setAttribute('data-theme', chosen), before ?? 'system');
  const size = page.viewportSize();
  await page.setViewportSize(telephone);
  const box = await page.getByRole('dialog').boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(telephone.width);
  const inside = await page.getByRole('dialog').evaluate((dialog) => dialog.scrollWidth - dialog.clientWidth);
  expect(inside).toBeLessThanOrEqual(0);
  await page.setViewportSize(size ?? { width: 1280, height: 900 });
}

/** As somebody chooses it, without that screen having to be open. */
export async function prefer(page: Page, theme: string, lang: string): Promise<void> {
  await page.getByLabel(/^(Language|言語)$/).selectOption(lang);
  await page.getByLabel(/^(Theme|テーマ)$/).selectOption(theme);
  await page.waitForFunction((wanted) => document.documentElement.lang === wanted, lang);
  // What is asked for in another language comes a moment later.
  await page.waitForFunction(() => document.querySelector('.loading') === null);
}

/** What axe finds, as one line each; what is behind a dialog cannot be reached, so there it need not look. */
export async function faults(page: Page, within = 'html'): Promise<readonly string[]> {
  // Half a megabyte: once a page, not once a look.
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe);
  return page.evaluate(async (where) => {
    const { violations } = await (
      globalThis as unknown as {
        axe: {
          run(where: string, options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      }
    ).axe.run(where, {
      resultTypes: ['violations'],
      runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
    });
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 160)}`));
  }, within);
}

/** Things that stand side by side and lie on each other all the same. */
async function overlaps(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = [];
    const parents = document.querySelectorAll(
      'main, main section, main ul, main ol, main tbody, main tbody tr, .columns, .columns > div, .head, .meta',
    );
    for (const parent of parents) {
      const children = [...parent.children]
        .filter((child) => !['fixed', 'absolute'].includes(getComputedStyle(child).position))
        .map((child) => ({ child, box: child.getBoundingClientRect() }))
        .filter(({ box }) => box.width > 0 && box.height > 0);
      for (const [index, one] of children.entries())
        for (const other of children.slice(index + 1)) {
          const across = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
          const down = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
          if (across > 1 && down > 1)
            found.push(`${one.child.outerHTML.slice(0, 80)} over ${other.child.outerHTML.slice(0, 80)}`);
        }
    }
    return found;
  });
}

async function shoot(page: Page, name: string): Promise<void> {
  if (shots === undefined) return;
  mkdirSync(shots, { recursive: true });
  await page.screenshot({ path: join(shots, `${name}.png`), fullPage: true });
}
