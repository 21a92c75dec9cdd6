import { cutTo, fitTo } from '../../surface/terminal/fit.ts';
import { escapeControlCharacters } from '../../surface/terminal/escape-control-characters.ts';
import { style } from '../../surface/terminal/style.ts';

/** The line of one pair of agent and project. */
export interface RunnerLine {
  readonly state: 'runs' | 'waits' | 'rests' | 'stuck';
  readonly agent: string;
  readonly project: string;
  readonly note: string;
}

export interface RunnerView {
  readonly title: string;
  readonly lines: readonly RunnerLine[];
  /** Events, oldest first. */
  readonly events: readonly string[];
}

const marks = { runs: style.cyan('●'), waits: style.dim('○'), rests: style.yellow('◐'), stuck: style.red('!') };

/** Renders the state of a Runner as a page of at most `height` lines. */
export function renderRunner({ title, lines, events }: RunnerView, width: number, height: number): string {
  const name = Math.max(8, Math.floor((width - 6) / 4));
  const pairs = lines.map(({ state, agent, project, note }) => {
    const names = `${fitTo(escapeControlCharacters(agent), name)} ${fitTo(escapeControlCharacters(project), name)} `;
    return `${marks[state]} ${names}${cutTo(escapeControlCharacters(note), Math.max(0, width - 2 * name - 4))}`;
  });
  const room = Math.max(1, height - 3);
  const shown = pairs.slice(0, room);
  const rest = Math.max(0, room - shown.length - 1);
  const eventLines =
    rest === 0 ? [] : events.slice(-rest).map((one) => style.dim(cutTo(escapeControlCharacters(one), width)));
  return [style.bold(cutTo(title, width)), ...shown, '', ...eventLines, ''].join('\n');
}
