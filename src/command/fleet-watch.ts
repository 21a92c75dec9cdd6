import { createApp } from '../app/application.ts';
import { type Command, exitCode } from './frame/command.ts';
import { configure } from '../app/configure.ts';
import { type Snapshot, fleetContext, followFleet, readSnapshot, settle } from '../fleet/index.ts';
import { renderFleet } from '../fleet/terminal/fleet-view.ts';
import type { Lang } from '../kernel/text/text.ts';

const drawMs = 1000;

export const fleetWatch: Command = {
  options: { once: { type: 'boolean' } },
  usage: 'sekisho fleet watch [--once] [--json]',
  examples: ['sekisho fleet watch', 'sekisho fleet watch --once', 'sekisho fleet watch --json'],
  async run({ flags, json, options }) {
    const config = await configure(flags);
    const { lang } = config;
    const app = createApp(config);
    const context = await app.context({});
    const look = async () => {
      await settle(fleetContext(context));
      return readSnapshot(context);
    };
    const { cursor, snapshot } = await look();
    const terminal = process.stdout.isTTY && !json;
    if (!terminal) line({ type: 'snapshot', cursor, timestamp: context.now().toISOString(), data: snapshot });
    if (options['once'] === true) {
      if (terminal) process.stdout.write(renderFleet(snapshot, { width: process.stdout.columns || 100, lang }));
      await app.close();
      return exitCode.ok;
    }
    const stop = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
    // A closed pipe (`| head`) ends it too.
    process.stdout.once('error', () => stop.abort());
    const timer = setInterval(() => {
      look()
        .then((now) => (terminal && !stop.signal.aborted ? draw(now.snapshot, lang) : undefined))
        .catch(() => undefined); // A database that is away may come back.
    }, drawMs);
    if (terminal) draw(snapshot, lang);
    await followFleet(context, cursor, stop.signal, (event) => (terminal ? undefined : line(event)));
    clearInterval(timer);
    if (terminal) process.stdout.write('\u001B[?25h\n');
    await app.close();
    return exitCode.ok;
  },
};

function line(event: object): void {
  process.stdout.write(`${JSON.stringify(event)}\n`);
}

/** Redraws from the top-left corner and clears the rest, which avoids flicker. */
function draw(snapshot: Snapshot, lang: Lang): void {
  // A terminal that does not know its size reports 0.
  const lines = renderFleet(snapshot, { width: process.stdout.columns || 100, lang })
    .split('\n')
    .slice(0, (process.stdout.rows || 40) - 1);
  process.stdout.write(`\u001B[?25l\u001B[H${lines.map((one) => `${one}\u001B[K`).join('\n')}\u001B[J`);
}
