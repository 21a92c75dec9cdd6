import { type Command, exitCode } from './frame/command.ts';
import { withApp } from './frame/with-app.ts';
import { type Snapshot, fleetContext, followFleet, readSnapshot, settle } from '../fleet/index.ts';
import { renderFleet } from '../fleet/terminal/fleet-view.ts';
import { endDrawing, printJson, redraw } from '../surface/terminal/print.ts';
import { screenOf } from '../surface/terminal/screen.ts';

const drawMs = 1000;

export const fleetWatch: Command = {
  options: { once: { type: 'boolean' } },
  usage: 'sekisho fleet watch [--once] [--json]',
  examples: ['sekisho fleet watch', 'sekisho fleet watch --once', 'sekisho fleet watch --json'],
  run: ({ flags, json, options }) =>
    withApp(flags, async (app) => {
      const context = await app.context({});
      const look = async () => {
        await settle(fleetContext(context));
        return readSnapshot(context);
      };
      const { cursor, snapshot } = await look();
      const page = (seen: Snapshot) => renderFleet(seen, screenOf(app.config.lang));
      if (json) printJson({ type: 'snapshot', cursor, timestamp: context.now().toISOString(), data: snapshot });
      if (options['once'] === true) {
        if (!json) process.stdout.write(page(snapshot));
        return exitCode.ok;
      }
      const stop = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
      // A closed pipe (`| head`) ends it too.
      process.stdout.once('error', () => stop.abort());
      const live = process.stdout.isTTY && !json;
      const show = async (isDue: boolean) => {
        const text = page((await look()).snapshot);
        if (!isDue || stop.signal.aborted) return;
        if (live) redraw(text);
        else process.stdout.write(text);
      };
      // A database that is away may come back.
      const tryToShow = (isDue: boolean) => void show(isDue).catch(() => undefined);
      // Every look settles agents whose host is gone, also where nothing is drawn.
      const timer = setInterval(() => tryToShow(live), drawMs);
      if (live) redraw(page(snapshot));
      else if (!json) process.stdout.write(page(snapshot));
      await followFleet(context, cursor, stop.signal, (event) => {
        if (json) printJson(event);
        else if (!live) tryToShow(true);
      });
      clearInterval(timer);
      if (live) endDrawing();
      return exitCode.ok;
    }),
};
