import stringWidth from 'string-width';
import { timeAgo, withShortIds } from '../../surface/terminal/cell.ts';
import { cutTo, pad, wrap } from '../../surface/terminal/fit.ts';
import { escapeControlCharacters } from '../../surface/terminal/escape-control-characters.ts';
import { overviewPhrase as phrase } from './overview-text.ts';
import type { Screen } from '../../surface/terminal/screen.ts';
import { style } from '../../surface/terminal/style.ts';
import { ringName, ringState } from './ring-name.ts';

export interface RingSeen {
  readonly name: string;
  readonly client?: string;
  readonly state: 'on' | 'off' | 'broken' | 'unknown';
  readonly found: string;
  readonly remedy?: string;
}

export interface RunSeen {
  readonly run_id: string;
  readonly process_id: string;
  readonly title: string | null;
  readonly state: string;
  /** The shortest path through the process that includes the current state. */
  readonly path: readonly string[];
  readonly missing: readonly string[];
  readonly waits_for_person: string | null;
  /** Every run that binds agents here. */
  readonly binding: readonly { readonly run_id: string; readonly process_id: string; readonly why: string }[];
}

/** The status of a project, as one screen shows it. */
export interface Overview {
  readonly ok: boolean;
  readonly project: string;
  readonly rings: readonly RingSeen[];
  readonly run: RunSeen | null;
  readonly waiting: readonly {
    readonly run_id: string;
    readonly process_id: string;
    readonly title: string | null;
    readonly state: string;
    readonly since: string;
  }[];
  /** Everything else that waits for a person: blocked tasks, hand-offs without a recipient. */
  readonly matters: readonly { readonly subject: string; readonly title: string; readonly text: string }[];
  readonly agents: readonly { readonly agent: string; readonly last: string | null }[];
  /** The reason why no agent starts; null where agents may start. */
  readonly paused: string | null;
  readonly tasks: readonly { readonly task_id: string; readonly number: number | null; readonly title: string }[];
  /** The next command to type. */
  readonly next: string;
  /** The clients in which a person can start a run instead; empty where starting one is not the next step. */
  readonly next_clients: readonly string[];
}

type Paint = (text: string) => string;
interface Line {
  /** A list is wrapped between its items only. */
  readonly text: string | readonly string[];
  readonly paint?: Paint;
  /** Cuts the text to one line. */
  readonly cut?: true;
}

/** The number of entries shown in a section. */
const most = 4;
/** Below this width, section names get their own line. */
const roomy = 50;
const gap = 2;

export function renderOverview(seen: Overview, screen: Screen): string {
  const { lang } = screen;
  const sections: readonly (readonly [string, readonly Line[]])[] = [
    [phrase.project()(lang), [{ text: seen.project, paint: style.bold }]],
    [phrase.rings()(lang), [...ringLines(seen.rings, screen), { text: phrase.more()(lang), paint: style.dim }]],
    [phrase.run()(lang), runLines(seen.run, screen)],
    [
      phrase.waiting()(lang),
      some(
        [...seen.waiting.map(waitingLine(screen)), ...seen.matters.map(({ title, text }) => `${title}: ${text}`)],
        phrase.nothingWaits()(lang),
        screen,
        (line) => line,
      ),
    ],
    [
      phrase.agents()(lang),
      [
        ...(seen.paused === null ? [] : [{ text: `✗ ${seen.paused}`, paint: style.yellow }]),
        ...some(seen.agents, phrase.noAgents()(lang), screen, ({ agent, last }) => `${agent}  ${last ?? ''}`),
      ],
    ],
    [
      phrase.tasks()(lang),
      some(seen.tasks, phrase.noTasks()(lang), screen, ({ task_id, number, title }) =>
        number === null ? `${task_id}  ${title}` : `#${number}  ${title}`,
      ),
    ],
    nextSection(seen, screen),
  ];
  const names = Math.max(...sections.map(([name]) => stringWidth(name)));
  return `${sections.flatMap(([name, lines]) => section(name, lines, names, screen)).join('\n')}\n`;
}

/** The next step alone, for the end of another command. */
export function renderNextStep(seen: Overview, screen: Screen): string {
  const [name, lines] = nextSection(seen, screen);
  return `${section(name, lines, stringWidth(name), screen).join('\n')}\n`;
}

function nextSection({ next, next_clients }: Overview, { lang }: Screen): readonly [string, readonly Line[]] {
  const other = next_clients.length === 0 ? [] : [{ text: phrase.begin({ clients: next_clients })(lang) }];
  return [phrase.next()(lang), [{ text: next, paint: style.cyan }, ...other]];
}

function section(name: string, lines: readonly Line[], names: number, screen: Screen): readonly string[] {
  const above = screen.width < roomy;
  const indent = ' '.repeat(above ? gap : names + gap);
  const shown = lines.flatMap((line) => shownLine(line, screen, screen.width - indent.length));
  if (above) return [style.dim(name), ...shown.map((line) => indent + line)];
  return shown.map((line, at) => (at === 0 ? style.dim(pad(name, names)) + ' '.repeat(gap) : indent) + line);
}

function shownLine({ text, paint = plain, cut }: Line, screen: Screen, room = screen.width): readonly string[] {
  if (typeof text !== 'string') return flow(text, room).map(paint);
  const clean = escapeControlCharacters(withShortIds(text, screen)).replaceAll(/\s*\n\s*/g, ' ');
  return (cut === true ? [cutTo(clean, room)] : hanging(clean, room)).map(paint);
}

/** Wraps text with a hanging indent: later lines align with the text, not with its mark. */
function hanging(text: string, room: number): readonly string[] {
  const mark = /^(?:[-✗→] )?/.exec(text)?.[0] ?? '';
  return wrap(text.slice(mark.length), room - mark.length).map(
    (line, at) => (at === 0 ? mark : ' '.repeat(mark.length)) + line,
  );
}

const arrow = ' → ';

function flow(steps: readonly string[], room: number): readonly string[] {
  const lines: string[] = [];
  for (const step of steps) {
    const last = lines.at(-1);
    const longer = `${last}${arrow}${step}`;
    if (last !== undefined && stringWidth(longer) <= room) lines[lines.length - 1] = longer;
    else
      lines.push(
        cutTo(
          last === undefined ? escapeControlCharacters(step) : `${arrow.trimStart()}${escapeControlCharacters(step)}`,
          room,
        ),
      );
  }
  return lines;
}

function plain(text: string): string {
  return text;
}

/** Ring 1 in the current folder. */
function hookLines(rings: readonly RingSeen[], { lang }: Screen): readonly Line[] {
  const hooks = rings.filter((one) => one.name === 'hooks');
  const on = hooks.filter((one) => one.state === 'on').map((one) => one.client);
  const off = hooks.filter((one) => one.state !== 'on');
  if (hooks.length === 0) return [{ text: phrase.hooksNone()(lang), paint: style.dim }];
  return [
    ...(on.length === 0 ? [] : [{ text: phrase.hooksOn({ clients: on.join(', ') })(lang), paint: style.green }]),
    ...off.flatMap(({ client = '', found, remedy }) => [
      { text: `✗ ${phrase.hooksOff({ client, found })(lang)}`, paint: style.red },
      ...remedyLine(remedy),
    ]),
  ];
}

function remedyLine(remedy: string | undefined): readonly Line[] {
  return remedy === undefined ? [] : [{ text: `→ ${remedy}`, paint: style.yellow }];
}

function ringLines(all: readonly RingSeen[], screen: Screen): readonly Line[] {
  const { lang } = screen;
  const rings = all.filter((one) => one.name !== 'hooks');
  const named = (state: RingSeen['state']) =>
    rings
      .filter((one) => one.state === state)
      .map((one) => ringName(one, lang))
      .join(', ');
  const broken = rings.filter((one) => one.state === 'broken');
  return [
    ...hookLines(all, screen),
    { text: phrase.on({ names: named('on') })(lang), paint: style.green },
    ...(named('off') === '' ? [] : [{ text: phrase.off({ names: named('off') })(lang), paint: style.dim }]),
    ...(named('unknown') === ''
      ? []
      : [{ text: phrase.unknown({ names: named('unknown') })(lang), paint: style.yellow }]),
    ...broken.flatMap((one) => [
      { text: `✗ ${ringName(one, lang)}: ${one.found}`, paint: style.red },
      ...remedyLine(one.remedy),
    ]),
  ];
}

/** Ring 1 alone, in the format of the overview. */
export function renderHooks(rings: readonly RingSeen[], screen: Screen): string {
  const lines = hookLines(rings, screen).flatMap((line) => shownLine(line, screen));
  return `${lines.join('\n')}\n`;
}

/** The rings alone, in the format of the overview. */
export function shortRings(rings: readonly RingSeen[], screen: Screen): readonly string[] {
  return ringLines(rings, screen).flatMap((line) => shownLine(line, screen));
}

function runLines(run: RunSeen | null, { lang }: Screen): readonly Line[] {
  if (run === null) return [{ text: phrase.noRun()(lang), paint: style.dim }];
  const at = run.path.indexOf(run.state);
  const drawn = run.path.map((state, index) =>
    index < at ? `✓ ${state}` : index === at ? `▶ ${state}` : `○ ${state}`,
  );
  return [
    { text: `${run.run_id}  ${run.process_id}` },
    ...(run.title === null ? [] : [{ text: run.title, cut: true as const }]),
    { text: drawn, paint: style.bold },
    ...(run.missing.length === 0
      ? [{ text: phrase.nothingMissing()(lang), paint: style.green }]
      : [{ text: phrase.missing()(lang) }, ...run.missing.map((one) => ({ text: `- ${one}`, paint: style.yellow }))]),
    ...(run.waits_for_person === null ? [] : [{ text: run.waits_for_person }]),
    { text: phrase.binds()(lang) },
    ...run.binding.map(({ run_id, process_id, why }) => ({ text: `- ${run_id}  ${process_id}: ${why}` })),
  ];
}

function waitingLine(screen: Screen) {
  return ({ run_id, process_id, title, state, since }: Overview['waiting'][number]) =>
    `${run_id}  ${title ?? process_id}, ${state}, ${timeAgo(since, screen)}`;
}

function some<T>(all: readonly T[], none: string, { lang }: Screen, line: (one: T) => string): readonly Line[] {
  if (all.length === 0) return [{ text: none, paint: style.dim }];
  const rest = all.length - most;
  return [
    ...all.slice(0, most).map((one) => ({ text: line(one), cut: true as const })),
    ...(rest > 0 ? [{ text: phrase.others({ n: rest })(lang), paint: style.dim }] : []),
  ];
}

const marks: Readonly<Record<RingSeen['state'], Paint>> = {
  on: style.green,
  off: style.dim,
  broken: style.red,
  unknown: style.yellow,
};

/** Every ring with its finding and its fix. */
export function renderRings(rings: readonly RingSeen[], { width, lang }: Screen): string {
  const room = Math.max(...Object.values(ringState).map((one) => stringWidth(one[lang])));
  const lines = rings.flatMap((one) => [
    `${marks[one.state](pad(ringState[one.state][lang], room))}  ${style.bold(ringName(one, lang))}`,
    ...wrap(escapeControlCharacters(one.found), width - gap).map((line) => ' '.repeat(gap) + line),
    ...(one.remedy === undefined || one.state === 'on'
      ? []
      : hanging(`→ ${one.remedy}`, width - gap).map((line) => ' '.repeat(gap) + style.yellow(line))),
  ]);
  return `${lines.join('\n')}\n`;
}
