import stringWidth from 'string-width';
import { cutTo, wrap } from '../../surface/terminal/fit.ts';
import { escapeControlCharacters } from '../../surface/terminal/escape-control-characters.ts';
import { style } from '../../surface/terminal/style.ts';

/** The line of one pair of agent and project. */
export interface RunnerLine {
  readonly state: 'runs' | 'waits' | 'rests' | 'stuck';
  /** Agent, project and task. */
  readonly who: string;
  readonly note: string;
}

export interface RunnerView {
  readonly title: string;
  readonly lines: readonly RunnerLine[];
  /** Events, oldest first. */
  readonly events: readonly string[];
}

const marks = { runs: style.cyan('●'), waits: style.dim('○'), rests: style.yellow('◐'), stuck: style.red('!') };

/** Renders the state of a Runner as a page of at most `height` lines. A reason is wrapped, because its end says what to do. */
export function renderRunner({ title, lines, events }: RunnerView, width: number, height: number): string {
  const pairs = lines.flatMap(({ state, who, note }) => {
    const [head, reason] = [escapeControlCharacters(who), escapeControlCharacters(note)];
    const line = `${head}  ${reason}`;
    if (stringWidth(line) <= width - 2) return [`${marks[state]} ${line}`];
    return [`${marks[state]} ${cutTo(head, width - 2)}`, ...wrap(reason, width - 4).map((one) => `    ${one}`)];
  });
  const titles = wrap(title, width).map(style.bold);
  const room = Math.max(1, height - 2 - titles.length);
  const shown = pairs.slice(0, room);
  const rest = Math.max(0, room - shown.length - 1);
  const eventLines = events.flatMap((one) => wrap(escapeControlCharacters(one), width)).map(style.dim);
  return [...titles, ...shown, '', ...(rest === 0 ? [] : eventLines.slice(-rest)), ''].join('\n');
}
