import { setTimeout } from 'node:timers/promises';

/** Opens a screen by its address. Answers the milliseconds until nothing was loading any more. */
export async function loadScreen(page, address) {
  await page.goto(address);
  const complete = await page.waitForFunction(
    () => document.querySelector('h1') !== null && document.querySelector('.loading') === null && performance.now(),
    undefined,
    { polling: 'raf' },
  );
  return complete.jsonValue();
}

/** Milliseconds of each frame while a wheel scrolls down and up again. */
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
    // The first frame began before the scrolling.
    return globalThis.frames_.slice(1);
  });
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
