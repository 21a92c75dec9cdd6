import { style } from '../../surface/terminal/style.ts';
import stringWidth from 'string-width';
import { type Lang, type Words, definePhrases } from '../../kernel/text/text.ts';
import { escapeControlCharacters } from '../../surface/terminal/escape-control-characters.ts';
import { cutTo, pad, wrap } from '../../surface/terminal/fit.ts';
import type { Screen } from '../../surface/terminal/screen.ts';
import * as ja from '../ja.ts';
import { words } from '../words.ts';

/** The fields of groups and agents that the terminal shows. */
export interface FleetView {
  readonly groups: readonly { readonly groupId: string; readonly description: string; readonly mode: string | null }[];
  readonly agents: readonly {
    readonly agentId: string;
    readonly groupId: string | null;
    readonly status: string;
    readonly elapsed_ms: number;
    readonly toolCallCount: number;
    readonly stageIndex: number | null;
    readonly totalStages: number | null;
    readonly lastActivity: string | null;
    readonly usage: { readonly inputTokens?: number; readonly outputTokens?: number } | null;
    readonly result: { readonly errorMessage: string | null } | null;
  }[];
}

type Agent = FleetView['agents'][number];

/** Renders groups and their agents as a page for a terminal. */
export function renderFleet({ groups, agents }: FleetView, { width, lang }: Pick<Screen, 'width' | 'lang'>): string {
  const of = (groupId: string | null) => agents.filter((one) => one.groupId === groupId).toReversed();
  const sections = [
    ...groups.map((one) => ({ title: `${one.groupId}  ${one.description}`, note: one.mode, agents: of(one.groupId) })),
    { title: 'runner', note: null, agents: of(null) },
  ].filter((one) => one.title !== 'runner' || one.agents.length > 0);
  if (sections.length === 0) return `${wrap(said.none()(lang), width).map(style.dim).join('\n')}\n`;
  return sections
    .flatMap(({ title, note, agents: members }) => [
      `${style.bold(cutTo(clean(title), width - (note === null ? 0 : note.length + 2)))}${note === null ? '' : style.dim(`  ${note}`)}`,
      ...(members.length === 0 ? [style.dim(`  ${said.noAgents()(lang)}`)] : agentLines(members, width - 2, lang)),
      '',
    ])
    .join('\n');
}

/** What an agent did last stands behind it, or below it where that has no room. */
const leastActivity = 30;

function agentLines(agents: readonly Agent[], width: number, lang: Lang): readonly string[] {
  const rows = agents.map((one) => [
    one.stageIndex === null ? '' : `${one.stageIndex + 1}/${one.totalStages ?? '?'}`,
    one.agentId,
    statusIn(one.status, lang),
    clock(one.elapsed_ms),
    said.calls({ n: one.toolCallCount })(lang),
    tokens(one),
  ]);
  const widths = rows[0]?.map((_, at) => Math.max(...rows.map((row) => stringWidth(row[at] ?? '')))) ?? [];
  const used = widths.reduce((sum, one) => sum + (one === 0 ? 0 : one + 1), 0);
  return agents.flatMap((agent, index) => {
    const cells = rows[index]?.map((cell, at) => pad(cell, widths[at] ?? 0)) ?? [];
    const row = cells.filter((cell) => cell !== '').join(' ');
    const shown = statusIn(agent.status, lang);
    const last = clean(agent.result?.errorMessage ?? agent.lastActivity ?? '');
    const beside = width - used > leastActivity;
    const tail = beside ? style.dim(` ${cutTo(last, width - used - 1)}`) : '';
    const lines = wrap(row, width).map((line) => `${line.replace(shown, paint(agent.status, shown))}${tail}`);
    return [...lines, ...(beside || last === '' ? [] : [`  ${style.dim(cutTo(last, width - 2))}`])].map((line) =>
      `  ${line}`.trimEnd(),
    );
  });
}

function clean(text: string): string {
  return escapeControlCharacters(text).replaceAll(/\s+/g, ' ');
}

function paint(status: string, shown: string): string {
  if (status === 'running') return style.cyan(shown);
  if (status === 'completed' || status === 'resultReported') return style.green(shown);
  return status === 'queued' ? style.dim(shown) : style.red(shown);
}

const statuses: Readonly<Record<string, Words | undefined>> = {
  queued: words('queued'),
  running: words('running'),
  completed: words('completed'),
  failed: words('failed'),
  timedOut: words('timedOut'),
  cancelled: words('cancelled'),
  resultReported: words('resultReported'),
};

function statusIn(status: string, lang: Lang): string {
  return statuses[status]?.[lang] ?? status;
}

export const english = {
  none: () => 'No group is active. sekisho fleet create-group makes one.',
  noAgents: () => 'no agents yet',
  calls: ({ n }: { n: number }) => `${n} calls`,
};

const said = definePhrases(english, ja.fleetView);

function clock(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const rest = `${Math.floor(seconds / 60) % 60}:${String(seconds % 60).padStart(2, '0')}`;
  return seconds < 3600 ? rest : `${Math.floor(seconds / 3600)}:${rest.padStart(5, '0')}`;
}

function tokens({ usage }: Agent): string {
  const sum = (usage?.inputTokens ?? 0) + (usage?.outputTokens ?? 0);
  if (sum === 0) return '';
  return sum < 10_000 ? `${sum} tok` : `${(sum / 1000).toFixed(0)}k tok`;
}
