import { formatDuration } from './duration.ts';
import { type Arrow, type Box, type Layout, type Point, type Rectangle, wordHeight } from './layout.ts';
import { type Progress, markOf, signs, stepKey, stepsTaken, timeIn } from './progress.ts';

export interface Line extends Point {
  readonly className: string;
  readonly text: string;
}

/** Everything that is drawn, in order: arrows, their labels, states. Classes give the style; the renderer adds the colours. */
export interface Scene {
  readonly width: number;
  readonly height: number;
  readonly start: Point;
  readonly arrows: readonly { readonly key: string; readonly className: string; readonly path: string }[];
  /** The labels of the arrows. `room` is the background that hides the arrow. */
  readonly words: readonly {
    readonly key: string;
    readonly className: string;
    readonly room: Rectangle;
    readonly lines: readonly Line[];
  }[];
  readonly boxes: readonly (Box & { readonly className: string; readonly lines: readonly Line[] })[];
}

export interface RunPosition {
  readonly progress: Progress;
  readonly status: 'open' | 'completed' | 'aborted';
  readonly now: number;
}

/** Builds the scene of a process: current state filled, taken path bold, possible next steps dashed, with their guards. */
export function sceneOf(layout: Layout, lang: 'en' | 'ja', stand?: RunPosition): Scene {
  const { width, height, boxes, arrows, start } = layout;
  const taken = stand === undefined ? undefined : stepsTaken(stand.progress);
  const isOver = stand !== undefined && stand.status !== 'open';
  const spent = stand === undefined ? undefined : timeIn(stand.progress, stand.now, isOver);
  const arrowClass = ({ from, event, to }: Arrow): string => {
    if (taken?.has(stepKey(from, event, to)) === true) return 'arrow taken';
    return from === stand?.progress.current && !isOver ? 'arrow next' : 'arrow';
  };
  const boxClass = ({ name }: Box): string => {
    if (name === stand?.progress.current)
      return `box current${{ open: '', completed: ' over', aborted: ' aborted' }[stand.status]}`;
    return spent?.has(name) === true ? 'box visited' : 'box';
  };
  return {
    width,
    height,
    start: { x: start.x, y: start.y },
    arrows: [
      { key: 'start', className: 'arrow', path: start.path },
      ...arrows.map((arrow, index) => ({ key: String(index), className: arrowClass(arrow), path: arrow.path })),
    ],
    words: arrows.map((arrow, index) => ({
      key: String(index),
      className: `words ${arrowClass(arrow)}`,
      room: roomOf(arrow),
      lines: labelLines(arrow, stand?.progress),
    })),
    boxes: boxes.map((box) => {
      const ms = spent?.get(box.name);
      const x = box.x + box.width / 2;
      const name = { className: 'name', text: box.name, x, y: box.y + (ms === undefined ? 27 : 20) };
      const time = { className: 'spent', text: formatDuration(ms ?? 0, lang), x, y: box.y + 36 };
      return { ...box, className: boxClass(box), lines: ms === undefined ? [name] : [name, time] };
    }),
  };
}

function roomOf({ x, y, width, height }: Arrow): Rectangle {
  return { x: x - width / 2, y: y - height / 2, width, height };
}

/** The label of an arrow: the event and, below it, its guards. */
function labelLines({ from, event, to, guards, x, y }: Arrow, progress: Progress | undefined): readonly Line[] {
  const top = y - ((guards.length + 1) * wordHeight) / 2 + 11;
  return [
    { className: 'event', text: event, x, y: top },
    ...guards.map((guard, index) => {
      const mark = progress === undefined ? 'unknown' : markOf(progress, from, event, to, guard);
      const text = mark === 'unknown' ? guard : `${signs[mark]} ${guard}`;
      return { className: `guard ${mark}`, text, x, y: top + (index + 1) * wordHeight };
    }),
  ];
}
