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

export interface Box {
  readonly name: string;
  readonly isFinal: boolean;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface Arrow {
  readonly from: string;
  readonly to: string;
  readonly event: string;
  readonly guards: readonly string[];
  readonly path: string;
  /** Where its words stand. */
  readonly x: number;
  readonly y: number;
}

export interface Layout {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

const boxHeight = 46;
export const wordHeight = 15;

/** Roughly how wide a text is: Japanese letters are as wide as high. */
export function widthOf(text: string, size: number): number {
  return Array.from(text).reduce((sum, letter) => sum + ((letter.codePointAt(0) ?? 0) > 0x2e80 ? 1 : 0.58), 0) * size;
}

/** Where everything stands. The same process always looks the same. */
export function layOut({ states, transitions }: Process): Layout {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: 'TB', nodesep: 48, ranksep: 40, edgesep: 24, marginx: 20, marginy: 16 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { name } of states)
    graph.setNode(name, { width: Math.max(96, widthOf(name, 13) + 36), height: boxHeight });
  for (const [index, { from, event, to, guards }] of transitions.entries()) {
    const words = [event, ...guards.map((guard) => `✓ ${guard.name}`)];
    const width = Math.max(...words.map((word) => widthOf(word, 11.5))) + 14;
    graph.setEdge(from, to, { width, height: words.length * wordHeight + 6, labelpos: 'c' }, String(index));
  }
  dagre.layout(graph);
  const { width = 0, height = 0 } = graph.graph();
  return {
    width,
    height,
    boxes: states.map(({ name, is_final: isFinal }) => {
      const node = graph.node(name) as Box;
      return {
        name,
        isFinal,
        width: node.width,
        height: node.height,
        x: node.x - node.width / 2,
        y: node.y - node.height / 2,
      };
    }),
    arrows: transitions.map(({ from, event, to, guards }, index) => {
      const edge = graph.edge({ v: from, w: to, name: String(index) }) as { points: Point[]; x?: number; y?: number };
      const first = edge.points[0] ?? { x: 0, y: 0 };
      return {
        from,
        event,
        to,
        guards: guards.map((guard) => guard.name),
        path: curve(edge.points),
        x: edge.x ?? first.x,
        y: edge.y ?? first.y,
      };
    }),
  };
}

/** Through the middles between the points, so that no corner is seen. */
export function curve(points: readonly Point[]): string {
  const [first, ...rest] = points;
  if (first === undefined) return '';
  const parts = rest.map((point, index) => {
    const next = rest[index + 1];
    if (next === undefined) return rest.length === 1 ? `L${point.x},${point.y}` : '';
    const end = index === rest.length - 2 ? next : { x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 };
    return `Q${point.x},${point.y} ${end.x},${end.y}`;
  });
  return `M${first.x},${first.y} ${parts.join(' ')}`;
}
