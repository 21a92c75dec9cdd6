import type { App } from '../app/application.ts';
import { configure } from '../app/configure.ts';
import type { Flags } from '../config/load.ts';
import { examineRings, findStore } from '../setup/rings.ts';
import { wrap } from '../surface/terminal/fit.ts';
import { endDrawing, printJson, redraw, say } from '../surface/terminal/print.ts';
import { examineAll, renderChecks } from './status/checks.ts';
import { overviewPhrase } from './status/overview-text.ts';
import { type Overview, renderOverview, renderRings } from './status/overview-view.ts';
import { offerAtTerminal } from '../surface/terminal/question.ts';
import { screenOf } from '../surface/terminal/screen.ts';
import { style } from '../surface/terminal/style.ts';
import { type Command, type Invocation, exitCode } from './frame/command.ts';
import { screenFor, withApp } from './frame/with-app.ts';
import { isFresh, readOverview } from './status/overview.ts';

export const status: Command = {
  options: { watch: { type: 'boolean' }, rings: { type: 'boolean' }, check: { type: 'boolean' } },
  usage: 'sekisho status [--watch] [--rings] [--check] [--json]',
  examples: [
    'sekisho status',
    'sekisho status --watch',
    'sekisho status --rings',
    'sekisho status --check',
    'sekisho status --json',
  ],
  async run({ flags, json, options }) {
    if (options['check'] === true) return check(flags, json);
    return withApp(flags, async (app) => {
      const found = await findStore(app);
      const rings = await examineRings(app.config, found);
      const look = () => readOverview(app, found, rings);
      const seen = await look();
      if (options['watch'] === true && 'store' in found) await watch(app, json, seen, look);
      else process.stdout.write(json ? lineOf(seen) : await shown(app, seen, options['rings'] === true));
      return seen.ok ? exitCode.ok : exitCode.refused;
    });
  },
};

/** `status --check` under its own name. */
export const doctor: Command = {
  options: {},
  usage: 'sekisho doctor',
  examples: ['sekisho doctor', 'sekisho doctor --json'],
  run: ({ flags, json }) => check(flags, json),
};

async function check(flags: Flags, json: boolean): Promise<number> {
  const found = await examineAll(flags);
  const { checks } = found;
  const ok = checks.every((one) => one.ok);
  if (json) printJson({ ok, checks });
  else say(renderChecks(found));
  return ok ? exitCode.ok : exitCode.refused;
}

/** `sekisho` with no arguments: the status, or how to begin. */
export async function whereAmI(line: Invocation): Promise<number | undefined> {
  const { place, lang, terminal } = await configure(line.flags);
  if (line.json || !isFresh(place)) return status.run(line);
  const { width } = screenOf(lang);
  const text = [overviewPhrase.fresh({ folder: place.root }), overviewPhrase.tryDemo()]
    .flatMap((one) => wrap(one(lang), width))
    .join('\n');
  const init = line.commands.find((one) => one.name === 'init');
  if (terminal && process.stdout.isTTY && (await offerAtTerminal(text, overviewPhrase.prepare()(lang))))
    return (await init?.load())?.run(line);
  if (!terminal || !process.stdout.isTTY) process.stdout.write(`${text}\n`);
  return exitCode.ok;
}

function lineOf(seen: Overview): string {
  return `${JSON.stringify(seen)}\n`;
}

async function shown(app: App, seen: Overview, rings: boolean): Promise<string> {
  const screen = await screenFor(app, seen);
  return rings ? renderRings(seen.rings, screen) : renderOverview(seen, screen);
}

/** Journal entries often come in groups; one redraw is enough for a group. */
const settleMs = 100;
/** Missing files and elapsed times change without a journal entry. */
const lookAgainMs = 5000;

/** Redraws the overview after each change until Ctrl-C; as JSON, one line each. */
async function watch(app: App, json: boolean, first: Overview, look: () => Promise<Overview>): Promise<void> {
  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop.abort());
  const live = process.stdout.isTTY && !json;
  let last = '';
  const show = async (seen: Overview) => {
    const text = json ? lineOf(seen) : await shown(app, seen, false);
    if (text === last || stop.signal.aborted) return;
    last = text;
    if (live) redraw(`${text}${style.dim(overviewPhrase.live()(app.config.lang))}`);
    else process.stdout.write(text);
  };
  let due: NodeJS.Timeout | undefined;
  const soon = () => {
    due ??= setTimeout(() => {
      due = undefined;
      look()
        .then(show)
        .catch(() => undefined); // A database that is away may come back.
    }, settleMs);
  };
  await show(first);
  const leave = await app.watch(soon);
  const ticking = setInterval(soon, lookAgainMs);
  process.stdout.on('resize', soon);
  await new Promise((done) => stop.signal.addEventListener('abort', done, { once: true }));
  leave();
  clearInterval(ticking);
  clearTimeout(due);
  process.stdout.off('resize', soon);
  if (live) endDrawing();
}
