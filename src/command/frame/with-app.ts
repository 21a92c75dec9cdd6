import { type App, createApp } from '../../app/application.ts';
import { configure } from '../../app/configure.ts';
import { readShortIds } from '../../app/short-id.ts';
import type { Flags } from '../../config/load.ts';
import { type Screen, screenOf } from '../../surface/terminal/screen.ts';

/** Runs work in the project that the flags name. */
export async function withApp<T>(flags: Flags, work: (app: App) => Promise<T>): Promise<T> {
  const app = createApp(await configure(flags));
  try {
    return await work(app);
  } finally {
    await app.close();
  }
}

/** The screen for a value, with the short form of each id in it. */
export async function screenFor(app: App, value: unknown, to?: NodeJS.WriteStream): Promise<Screen> {
  return screenOf(app.config.lang, to, await readShortIds(() => app.store(), value));
}
