import { cutTo, fitTo } from '../../surface/terminal/fit.ts';
import { escapeControlCharacters } from '../../surface/terminal/escape-control-characters.ts';
import { style } from '../../surface/terminal/style.ts';

/** The part of a task that a board shows. */
export interface DrawnTask {
  readonly id: string;
  readonly number: number | null;
  readonly title: string;
  readonly status: string;
  readonly priority: string;
  /** The name of the assigned agent. */
  readonly assignee: string | null;
  readonly dependsOn: readonly string[];
  readonly claim: object | undefined;
}

export interface DrawnBoard {
  readonly name: string;
  readonly tasks: readonly DrawnTask[];
  readonly counts: Readonly<Record<string, number>>;
}

const whoWidth = 14;

/** Renders the tasks of a project, grouped by state. */
export function renderBoard({ name, tasks, counts }: DrawnBoard, width: number): string {
  const sections = Object.entries(counts).filter(([, number]) => number > 0);
  return [
    style.bold(cutTo(escapeControlCharacters(name), width)),
    ...sections.flatMap(([status, number]) => {
      const shown = tasks.filter((one) => one.status === status);
      const more = number - shown.length;
      return [
        `${paint(status)(status)} ${style.dim(String(number))}`,
        ...shown.map((one) => `  ${taskLine(one, width - 2)}`),
        ...(more > 0 ? [style.dim(`  … ${more}`)] : []),
      ];
    }),
    '',
  ].join('\n');
}

/** Renders a list of tasks, each with what the next command needs: `typed` has the number, or the id if that is not clear. */
export function renderReady(tasks: readonly DrawnTask[], typed: ReadonlyMap<string, string>, width: number): string {
  return tasks
    .map((one) => {
      const name = typed.get(one.id) ?? one.id;
      const id = name === String(one.number) ? '' : `\n  ${style.dim(escapeControlCharacters(name))}`;
      return `${taskLine(one, width)}${id}\n`;
    })
    .join('');
}

/** Renders the dependencies as a tree: each task once, below one of its dependencies. */
export function renderGraph({ name, tasks }: Pick<DrawnBoard, 'name' | 'tasks'>, width: number): string {
  const byId = new Map(tasks.map((one) => [one.id, one]));
  const known = (one: DrawnTask) => one.dependsOn.filter((id) => byId.has(id));
  const after = new Map<string, DrawnTask[]>();
  // Each task is drawn once, below the last of its dependencies.
  for (const one of tasks) {
    const last = known(one).at(-1);
    if (last !== undefined) after.set(last, [...(after.get(last) ?? []), one]);
  }
  const lines: string[] = [style.bold(cutTo(escapeControlCharacters(name), width))];
  const left = tasks.filter((one) => known(one).length === 0).toReversed();
  const stack = left.map((task) => ({ task, depth: 0 }));
  for (let top = stack.pop(); top !== undefined; top = stack.pop()) {
    const { task, depth } = top;
    const indent = Math.min(depth * 2, Math.floor(width / 3));
    const others = known(task).length - 1;
    const note = others > 0 ? style.dim(` +${others}`) : '';
    const room = width - indent - (others > 0 ? String(others).length + 2 : 0);
    lines.push(`${' '.repeat(indent)}${taskLine(task, room)}${note}`);
    for (const next of (after.get(task.id) ?? []).toReversed()) stack.push({ task: next, depth: depth + 1 });
  }
  return `${lines.join('\n')}\n`;
}

function taskLine(task: DrawnTask, width: number): string {
  const mark = paint(task.status)(marks[task.status] ?? '·');
  const urgent = task.priority === 'urgent' || task.priority === 'high' ? style.red('!') : ' ';
  const who = task.assignee === null ? '' : escapeControlCharacters(task.assignee);
  const number = task.number === null ? '' : `#${task.number} `;
  const room = Math.max(8, width - 4 - (who === '' ? 0 : whoWidth + 1));
  const title = `${number}${escapeControlCharacters(task.title).replaceAll('\n', ' ')}`;
  return who === ''
    ? `${mark} ${urgent} ${cutTo(title, room)}`
    : `${mark} ${urgent} ${fitTo(title, room)} ${style.dim(cutTo(who, whoWidth))}`;
}

const marks: Readonly<Record<string, string>> = {
  backlog: '·',
  todo: '○',
  in_progress: '●',
  blocked: '✗',
  done: '✓',
  cancelled: '-',
};

function paint(status: string): (text: string) => string {
  const paints: Readonly<Record<string, (text: string) => string>> = {
    in_progress: style.cyan,
    blocked: style.red,
    done: style.green,
    cancelled: style.dim,
    backlog: style.dim,
  };
  return paints[status] ?? ((text) => text);
}
