import dagre from '@dagrejs/dagre';

export interface Process {
  readonly initial_state: string;
  readonly states: readonly { readonly name: string; readonly is_final: boolean }[];
  readonly transitions: readonly {
    readonly from: string;
    readonly event: string;
    readonly to: string;
    readonly guards: readonly { readonly name: string }[];
  }[];
}

export interface Rectangle extends Point {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Rectangle {
  readonly name: string;
  readonly isFinal: boolean;
}

/** An arrow. The rectangle is its label, with `x` and `y` in the centre. */
export interface Arrow extends Rectangle {
  readonly from: string;
  readonly to: string;
  readonly event: string;
  readonly guards: readonly string[];
  readonly path: string;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
  /** The start dot and its path to the first state. */
  readonly start: Point & { readonly path: string };
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const boxHeight = 46;
export const wordHeight = 15;

/** Estimates the width of a text: Japanese characters are as wide as high. */
export function widthOf(text: string, size: number): number {
  return Array.from(text).reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) > 0x2e80 ? 1 : 0.58), 0) * size;
}

/** Computes the positions of states and arrows. The result is deterministic. */
export function layOut({ initial_state: first, states, transitions }: Process): Layout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 48, ranksep: 40, edgesep: 24, marginx: 20, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  // States are numbered, because names are untrusted and some have a meaning to the graph (`__proto__`).
  const ids = new Map(states.map(({ name }, index) => [name, `s${index}`]));
  const id = (name: string): string => ids.get(name) ?? '';
  graph.setNode('start', { width: 10, height: 10 });
  for (const { name } of states)
    graph.setNode(id(name), { width: Math.max(96, widthOf(name, 13) + 36), height: boxHeight });
  graph.setEdge('start', id(first), {});
  for (const [index, { from, event, to, guards }] of transitions.entries()) {
    const words = [event, ...guards.map((guard) => `✓ ${guard.name}`)];
    const width = Math.max(...words.map((word) => widthOf(word, 11.5))) + 14;
    graph.setEdge(id(from), id(to), { width, height: words.length * wordHeight + 6, labelpos: 'c' }, String(index));
  }
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  const place = (node: string): Rectangle => {
    const found = graph.node(node) as Rectangle;
    return { ...sizeOf(found), x: found.x - found.width / 2, y: found.y - found.height / 2 };
  };
  const start = place('start');
  return {
    width,
    height,
    boxes: states.map(({ name, is_final: isFinal }) => ({ name, isFinal, ...place(id(name)) })),
    arrows: transitions.map(({ from, event, to, guards }, index) => {
      const edge = graph.edge({ v: id(from), w: id(to), name: String(index) }) as Rectangle & { points: Point[] };
      const [here, there] = [place(id(from)), place(id(to))];
      return {
        from,
        event,
        to,
        guards: guards.map((guard) => guard.name),
        path: from === to ? loop(here, edge) : curve(dockEnds(edge.points, here, there), 'down'),
        x: edge.x,
        y: edge.y,
        ...sizeOf(edge),
      };
    }),
    start: {
      x: start.x + start.width / 2,
      y: start.y + start.height / 2,
      path: curve((graph.edge('start', id(first)) as { points: Point[] }).points, 'down'),
    },
  };
}

/** Moves the ends of an arrow to the top or bottom of its boxes: at a side, its tip would lie along the border. */
function dockEnds(points: readonly Point[], from: Rectangle, to: Rectangle): readonly Point[] {
  const inner = points.slice(1, -1);
  const [second = middle(to), last = middle(from)] = [inner[0], inner.at(-1)];
  return [dock(from, second), ...inner, dock(to, last)];
}

function dock(box: Rectangle, towards: Point): Point {
  const x = Math.min(Math.max(towards.x, box.x + box.width * 0.3), box.x + box.width * 0.7);
  return { x, y: towards.y > middle(box).y ? box.y + box.height : box.y };
}

function sizeOf({ width, height }: Rectangle) {
  return { width, height };
}

function middle({ x, y, width, height }: Rectangle): Point {
  return { x: x + width / 2, y: y + height / 2 };
}

/** The path from a box back to itself, on the side of the label. */
function loop(box: Rectangle, words: Point): string {
  const { y } = middle(box);
  const side = words.x > box.x ? box.x + box.width : box.x;
  return `M${side},${y - 9} C${words.x},${y - 34} ${words.x},${y + 34} ${side},${y + 9}`;
}

/** A smooth path through all points: vertical at each point, or horizontal if the drawing runs to the right. */
export function curve(points: readonly Point[], runs: 'down' | 'right'): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  const parts = rest.map((point, index) => {
    const before = points[index] ?? first;
    const [x, y] = [(before.x + point.x) / 2, (before.y + point.y) / 2];
    return runs === 'down'
      ? `C${before.x},${y} ${point.x},${y} ${point.x},${point.y}`
      : `C${x},${before.y} ${x},${point.y} ${point.x},${point.y}`;
  });
  return `M${first.x},${first.y} ${parts.join(' ')}`;
}
