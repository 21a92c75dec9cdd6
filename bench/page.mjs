import { setTimeout } from 'node:timers/promises';

/** Goes to a screen as if by a link from elsewhere. Answers when something was painted, and when all of it was there. */
export async function loadScreen(page, address) {
  await page.goto(address);
  const there = await page
    .waitForFunction(
      () => document.querySelector('h1') !== null && document.querySelector('.loading') === null && performance.now(),
      undefined,
      { polling: 'raf' },
    )
    .then((handle) => handle.jsonValue());
  const painted = await page.evaluate(() => performance.getEntriesByName('first-contentful-paint')[0]?.startTime);
  return { painted: painted ?? there, there };
}

/** How long each frame took while somebody scrolled down and up again with a wheel. */
export async function scrollFrames(page, ms) {
  await page.mouse.move(700, 500);
  await page.evaluate(() => {
    const taken = (globalThis.frames_ = []);
    let before = performance.now();
    const frame = (now) => {
      taken.push(now - before);
      before = now;
      globalThis.asked_ = requestAnimationFrame(frame);
    };
    globalThis.asked_ = requestAnimationFrame(frame);
  });
  const end = performance.now() + ms;
  for (let turn = 0; performance.now() < end; turn += 1) {
    await page.mouse.wheel(0, turn % 200 < 100 ? 120 : -120);
    await setTimeout(16);
  }
  return page.evaluate(() => {
    cancelAnimationFrame(globalThis.asked_);
    // The first one began before anybody scrolled.
    return globalThis.frames_.slice(1);
  });
}

/** What a page holds once everything was collected that nobody needs. */
export async function heldBy(page) {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const value = (name) => metrics.find((one) => one.name === name).value;
  return { heap: value('JSHeapUsedSize'), nodes: value('Nodes'), listeners: value('JSEventListeners') };
}

/** Opens further pages of a list, and answers how many rows there are now. */
export async function openRows(page, clicks) {
  for (let click = 0; click < clicks; click += 1) {
    await page.evaluate(() => [...document.querySelectorAll('.more button:enabled')].at(-1)?.click());
    await page.waitForFunction(() => document.querySelector('.more button:disabled') === null);
  }
  await page.evaluate(() => scrollTo(0, 0));
  return page.evaluate(() => {
    const counted = document.querySelector('main table')?.getAttribute('aria-rowcount');
    return counted == null ? document.querySelectorAll('main li').length : Number(counted) - 1;
  });
}
