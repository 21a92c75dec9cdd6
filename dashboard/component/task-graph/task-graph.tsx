import dagre from '@dagrejs/dagre';
import { useId, useMemo } from 'react';
import { useGo } from '../../app/address.ts';
import type { Output } from '../../api/operations.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { GraphFrame } from '../graph-frame.tsx';
import { type Point, curve, widthOf } from '../../../src/graph/layout.ts';
import { statusTexts, statusTones, TaskStatus } from '../task-status.tsx';
import { To } from '../to.tsx';
import { Visible } from '../visible.tsx';

const texts = defineTexts({
  label: {
    en: 'Tasks from left to right: each comes after the tasks it depends on. The table below has the same content.',
    ja: '先に終えるべきタスクから順に、左から右へ並びます。下の表に同じ内容があります。',
  },
  table: { en: 'As a table', ja: '表で見る' },
  task: { en: 'Task', ja: 'タスク' },
  state: { en: 'State', ja: '状態' },
  waits: { en: 'Depends on', ja: '依存先' },
  nothing: { en: 'nothing', ja: 'なし' },
  cut: { en: 'Only some are shown: there are too many tasks to draw.', ja: '数が多いため一部だけを表示しています。' },
});

type Graph = Output<'describe_task'>['graph'];

/** The height of a box: two lines of the title and the state. */
const height = 58;
const lineLetters = 18;

/** The tasks before and after a task, as a graph. */
export default function TaskGraph({ graph, current }: { readonly graph: Graph; readonly current: string }) {
  const t = useTexts(texts);
  const states = useTexts(statusTexts);
  const go = useGo();
  const tip = useId();
  const layout = useMemo(() => layOut(graph), [graph]);
  const titleOf = (id: string): string => graph.tasks.find((one) => one.task_id === id)?.title ?? id;
  return (
    <div className="process-graph task-graph">
      <GraphFrame tip={tip} label={t.label} width={layout.width} height={layout.height}>
        {layout.arrows.map(({ from, to, path }) => (
          <path key={`${from} ${to}`} className="arrow" d={path} markerEnd={`url(#${tip})`} />
        ))}
        {layout.boxes.map(({ task, x, y, width }) => (
          <g
            key={task.task_id}
            className={`box task ${statusTones[task.status]} ${task.task_id === current ? 'chosen' : ''}`}
            onClick={() => go(`/tasks/${task.task_id}`)}
          >
            <rect x={x} y={y} width={width} height={height} rx="7" />
            {linesOf(task.title).map((line, index, all) => (
              <text key={line} x={x + width / 2} y={y + (all.length === 1 ? 25 : 18 + index * 16)}>
                {line}
              </text>
            ))}
            <text className="spent" x={x + width / 2} y={y + 50}>
              {states[task.status]}
            </text>
          </g>
        ))}
      </GraphFrame>
      {graph.is_cut && <p className="dim">{t.cut}</p>}
      <details className="process-table">
        <summary>{t.table}</summary>
        <table className="table" aria-label={t.label}>
          <thead>
            <tr>
              <th scope="col">{t.task}</th>
              <th scope="col">{t.state}</th>
              <th scope="col">{t.waits}</th>
            </tr>
          </thead>
          <tbody>
            {graph.tasks.map((task) => {
              const before = graph.edges.filter((one) => one.to === task.task_id);
              return (
                <tr key={task.task_id}>
                  <td data-title={t.task}>
                    <To href={`/tasks/${task.task_id}`}>
                      <Visible text={task.title} />
                    </To>
                  </td>
                  <td data-title={t.state}>
                    <TaskStatus status={task.status} />
                  </td>
                  <td data-title={t.waits}>
                    {before.length === 0 ? t.nothing : before.map(({ from }) => titleOf(from)).join(', ')}
                  </td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </details>
    </div>
  );
}

/** Breaks a title into at most two lines, between words if possible. */
export function linesOf(title: string): readonly string[] {
  const size = Math.max(
    8,
    Math.round(lineLetters / (widthOf(title, 1) / Math.max(1, Array.from(title).length) / 0.58)),
  );
  const lines: string[] = [''];
  for (const word of title.split(/(?<= )/).flatMap((one) => pieces(one, size))) {
    const last = lines.at(-1) ?? '';
    if (last === '' || Array.from(last + word.trimEnd()).length <= size) lines[lines.length - 1] = last + word;
    else lines.push(word);
  }
  const [first = '', second] = lines.map((one) => one.trim());
  if (second === undefined) return [first];
  return [
    first,
    lines.length > 2
      ? `${Array.from(second)
          .slice(0, size - 1)
          .join('')}…`
      : second,
  ];
}

function pieces(word: string, size: number): readonly string[] {
  const letters = Array.from(word);
  return Array.from({ length: Math.ceil(letters.length / size) }, (_, index) =>
    letters.slice(index * size, (index + 1) * size).join(''),
  );
}

function layOut({ tasks, edges }: Graph) {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR', nodesep: 16, ranksep: 36, marginx: 4, marginy: 8 });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { task_id: id, title } of tasks)
    graph.setNode(id, { width: Math.max(96, ...linesOf(title).map((line) => widthOf(line, 13) + 24)), height });
  for (const { from, to } of edges) graph.setEdge(from, to);
  dagre.layout(graph);
  const { width = 0, height: all = 0 } = graph.graph();
  return {
    width,
    height: all,
    boxes: tasks.map((task) => {
      const node = graph.node(task.task_id) as { x: number; y: number; width: number };
      return { task, x: node.x - node.width / 2, y: node.y - height / 2, width: node.width };
    }),
    arrows: edges.map(({ from, to }) => ({
      from,
      to,
      path: curve((graph.edge(from, to) as { points: Point[] }).points, 'right'),
    })),
  };
}
