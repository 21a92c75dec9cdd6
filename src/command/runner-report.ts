import { endDrawing, printJson, redraw } from '../surface/terminal/print.ts';
import type { Lang, Sentence } from '../kernel/text/text.ts';
import { messageOf } from '../base/failure.ts';
import { isProblem } from '../kernel/problem.ts';
import { type RunnerLine, renderRunner } from '../work/terminal/runner-view.ts';
import { phrase } from '../work/problem.ts';
import type { Names } from '../work/runner/names.ts';
import { type RunnerRound, isIdle } from '../work/runner/runner.ts';
import type { PairId, Waiting } from '../work/runner/start.ts';
import { type StuckTasks, isStuck } from '../work/task/stuck.ts';

export type Told = RunnerRound | { readonly failed: unknown };

export interface Report {
  tell(told: Told): Promise<void>;
  /** Reports an event that does not belong to a round. */
  note(event: string, fields: Readonly<Record<string, Field>>): void;
  close(): void;
}

type PairOfTask = PairId & { readonly task?: string | undefined };

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
      ...(idle && !wasIdle ? [{ event: 'idle', ...stuckReason(told.stuck, lang) }] : []),
    ];
  };
}

function keyOf({ agentId, projectId }: PairId): string {
  return JSON.stringify([agentId, projectId]);
}

/** The sentence about tasks that only a person can move on; nothing if there are none. */
function stuckReason(stuck: StuckTasks, lang: Lang): { readonly reason?: string } {
  return isStuck(stuck) ? { reason: phrase.runnerStuck(stuck)(lang) } : {};
}

/** Reports each event as a line of JSON, for programs. */
export function reportJson(lang: Lang, now: () => Date): Report {
  const changes = changesOf(lang);
  const line = (event: Event) => printJson({ timestamp: now().toISOString(), ...event });
  return {
    tell: async (told) => changes(told).forEach(line),
    note: (event, fields) => line({ event, ...fields }),
    close: () => undefined,
  };
}

/** Reports each event as a sentence. `keep` gets it, after the names that it needs were read. */
export function reportLines(lang: Lang, now: () => Date, names: Names, keep: (line: string) => void): Report {
  const changes = changesOf(lang);
  const line = (event: Event) => keep(`${now().toLocaleTimeString('en-GB')} ${sentenceOf(event, names, lang)(lang)}`);
  return {
    async tell(told) {
      if (!('failed' in told)) await names.learn([told.started, told.running, told.ended, told.waiting].flat());
      changes(told).forEach(line);
    },
    note: (event, fields) => line({ event, ...fields }),
    close: () => undefined,
  };
}

const drawMs = 1000;
const keptEvents = 50;

/** Reports on a page that is redrawn every second, for people. */
export function reportScreen(lang: Lang, now: () => Date, names: Names, title: string): Report {
  const events: string[] = [];
  const since = new Map<string, number>();
  let round: RunnerRound | undefined;
  const lines = reportLines(lang, now, names, (line) => {
    events.push(line);
    if (events.length > keptEvents) events.shift();
  });
  const draw = () => {
    const page = { title, lines: linesOf(round, since, now(), names, lang), events };
    redraw(renderRunner(page, process.stdout.columns || 80, process.stdout.rows || 24));
  };
  process.stdout.write('\u001B[2J');
  const timer = setInterval(draw, drawMs);
  return {
    ...lines,
    async tell(told) {
      if (!('failed' in told)) round = told;
      await lines.tell(told);
      draw();
    },
    close() {
      clearInterval(timer);
      draw();
      endDrawing();
    },
  };
}

function whoIn({ agentId, projectId, task }: PairOfTask, names: Names, lang: Lang): string {
  return phrase.runnerWho({ agent: names.of(agentId), project: names.of(projectId), task })(lang);
}

function sentenceOf({ event, ...fields }: Event, names: Names, lang: Lang): Sentence {
  const { agentId, projectId, task, status, reason, instances } = fields;
  const who =
    typeof agentId === 'string' && typeof projectId === 'string'
      ? whoIn({ agentId, projectId, task: typeof task === 'string' ? task : undefined }, names, lang)
      : '';
  const waits = event === 'waits' ? noteOf(fields as Waiting, lang) : undefined;
  return phrase.runnerEvent({ event, who, what: String(waits ?? status ?? reason ?? instances ?? '') });
}

function linesOf(
  round: RunnerRound | undefined,
  since: Map<string, number>,
  now: Date,
  names: Names,
  lang: Lang,
): readonly RunnerLine[] {
  if (round === undefined) return [];
  const pairs = [...round.running, ...round.started];
  const running = pairs.map((pair): RunnerLine => {
    const key = keyOf(pair);
    since.set(key, since.get(key) ?? now.getTime());
    return { state: 'runs', who: whoIn(pair, names, lang), note: clock(now.getTime() - (since.get(key) ?? 0)) };
  });
  for (const key of since.keys()) if (!pairs.some((one) => keyOf(one) === key)) since.delete(key);
  const waiting = round.waiting.map(({ waits, ...pair }): RunnerLine => {
    const state = waits.for === 'rest' ? 'rests' : waits.for === 'person' ? 'stuck' : 'waits';
    const task = 'task' in waits ? waits.task : undefined;
    return { state, who: whoIn({ ...pair, task }, names, lang), note: noteOf(waits, lang) };
  });
  // Sorted by name, because each round can start with another agent.
  const byName = (one: RunnerLine, two: RunnerLine) => one.who.localeCompare(two.who);
  return [...running.toSorted(byName), ...waiting.toSorted(byName)];
}

function clock(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

function noteOf(waits: Waiting, lang: Lang): string {
  if ('reason' in waits) return waits.reason;
  if (waits.for === 'room') return phrase.runnerRoom()(lang);
  if (waits.for === 'other') return phrase.runnerOther()(lang);
  const time = new Date(waits.until).toLocaleTimeString('en-GB');
  return phrase.runnerRests({ failures: waits.failures, time })(lang);
}
