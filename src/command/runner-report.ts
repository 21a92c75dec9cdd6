import type { Lang, Sentence } from '../kernel/text/text.ts';
import { messageOf } from '../base/failure.ts';
import { isProblem } from '../kernel/problem.ts';
import { type RunnerLine, renderRunner } from '../work/terminal/runner-view.ts';
import { phrase } from '../work/problem.ts';
import type { Names } from '../work/runner/names.ts';
import { type RunnerRound, type WaitingPair, isIdle } from '../work/runner/runner.ts';
import type { Waiting } from '../work/runner/start.ts';

export type Told = RunnerRound | { readonly failed: unknown };

export interface Report {
  tell(told: Told): Promise<void>;
  /** Reports an event that does not belong to a round. */
  note(event: string, fields: Readonly<Record<string, Field>>): void;
  close(): void;
}

type Field = string | number | null | undefined;

interface Event {
  readonly event: string;
  readonly [field: string]: Field;
}

/** The events since the previous round: a Runner that polls every few seconds must not repeat itself. */
export function changesOf(lang: Lang): (told: Told) => readonly Event[] {
  const waited = new Map<string, string>();
  let idle = false;
  let failure: string | undefined;
  return (told) => {
    if ('failed' in told) {
      const reason = isProblem(told.failed) ? told.failed.in(lang) : messageOf(told.failed);
      const isNew = reason !== failure;
      failure = reason;
      return isNew ? [{ event: 'failed', reason }] : [];
    }
    failure = undefined;
    const waits = told.waiting.filter((one) => {
      const what = JSON.stringify(one.waits);
      const isNew = waited.get(keyOf(one)) !== what;
      waited.set(keyOf(one), what);
      return isNew;
    });
    for (const key of waited.keys()) if (!told.waiting.some((one) => keyOf(one) === key)) waited.delete(key);
    const wasIdle = idle;
    idle = isIdle(told);
    return [
      ...told.ended.map((one) => ({ event: 'ended', ...one })),
      ...told.started.map((one) => ({ event: 'started', ...one })),
      ...waits.map(({ waits: why, ...one }) => ({ event: 'waits', ...one, ...why })),
      ...(idle && !wasIdle ? [{ event: 'idle' }] : []),
    ];
  };
}

function keyOf({ agentId, projectId }: Pick<WaitingPair, 'agentId' | 'projectId'>): string {
  return JSON.stringify([agentId, projectId]);
}

/** Reports each event as a line of JSON, for programs. */
export function reportLines(lang: Lang, now: () => Date): Report {
  const changes = changesOf(lang);
  const line = (event: Event) =>
    process.stdout.write(`${JSON.stringify({ timestamp: now().toISOString(), ...event })}\n`);
  return {
    tell: async (told) => changes(told).forEach(line),
    note: (event, fields) => line({ event, ...fields }),
    close: () => undefined,
  };
}

const drawMs = 1000;
const keptEvents = 50;

/** Reports on a page that is redrawn every second, for people. */
export function reportScreen(lang: Lang, now: () => Date, title: string, names: Names): Report {
  const say = (sentence: Sentence) => sentence(lang);
  const changes = changesOf(lang);
  const events: string[] = [];
  const since = new Map<string, number>();
  let round: RunnerRound | undefined;
  const keep = (event: Event) => {
    events.push(`${now().toLocaleTimeString('en-GB')} ${say(sentenceOf(event, names, say))}`);
    if (events.length > keptEvents) events.shift();
  };
  const draw = () => {
    const page = renderRunner(
      { title, lines: linesOf(round, since, now(), names, say), events },
      process.stdout.columns || 80,
      process.stdout.rows || 24,
    );
    const lines = page.split('\n').slice(0, (process.stdout.rows || 24) - 1);
    process.stdout.write(`\u001B[?25l\u001B[H${lines.map((one) => `${one}\u001B[K`).join('\n')}\u001B[J`);
  };
  process.stdout.write('\u001B[2J');
  const timer = setInterval(draw, drawMs);
  return {
    async tell(told) {
      if (!('failed' in told)) {
        round = told;
        await names.learn([told.started, told.running, told.ended, told.waiting].flat());
      }
      changes(told).forEach(keep);
      draw();
    },
    note: (event, fields) => keep({ event, ...fields }),
    close() {
      clearInterval(timer);
      draw();
      process.stdout.write('\u001B[?25h\n');
    },
  };
}

function sentenceOf({ event, ...fields }: Event, names: Names, say: (sentence: Sentence) => string): Sentence {
  const { agentId, projectId, status, reason, instances } = fields;
  const who =
    typeof agentId === 'string' && typeof projectId === 'string'
      ? say(phrase.runnerWho({ agent: names.of(agentId), project: names.of(projectId) }))
      : '';
  const waits = event === 'waits' ? noteOf(fields as Waiting, say) : undefined;
  return phrase.runnerEvent({ event, who, what: String(waits ?? status ?? reason ?? instances ?? '') });
}

function linesOf(
  round: RunnerRound | undefined,
  since: Map<string, number>,
  now: Date,
  names: Names,
  say: (sentence: Sentence) => string,
): readonly RunnerLine[] {
  if (round === undefined) return [];
  const called = (agentId: string, projectId: string) => ({ agent: names.of(agentId), project: names.of(projectId) });
  const pairs = [...round.running, ...round.started];
  const running = pairs.map(({ agentId, projectId }): RunnerLine => {
    const key = keyOf({ agentId, projectId });
    since.set(key, since.get(key) ?? now.getTime());
    return { state: 'runs', ...called(agentId, projectId), note: clock(now.getTime() - (since.get(key) ?? 0)) };
  });
  for (const key of since.keys()) if (!pairs.some((one) => keyOf(one) === key)) since.delete(key);
  const waiting = round.waiting.map(({ agentId, projectId, waits }): RunnerLine => {
    const state = waits.for === 'rest' ? 'rests' : waits.for === 'person' ? 'stuck' : 'waits';
    return { state, ...called(agentId, projectId), note: noteOf(waits, say) };
  });
  // Sorted by name, because each round can start with another agent.
  const byName = (one: RunnerLine, two: RunnerLine) => one.agent.localeCompare(two.agent);
  return [...running.toSorted(byName), ...waiting.toSorted(byName)];
}

function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function noteOf(waits: Waiting, say: (sentence: Sentence) => string): string {
  if (waits.for === 'person') return waits.reason;
  if (waits.for === 'room') return say(phrase.runnerRoom());
  if (waits.for === 'other') return say(phrase.runnerOther());
  const time = new Date(waits.until).toLocaleTimeString('en-GB');
  return say(phrase.runnerRests({ failures: waits.failures, time }));
}
