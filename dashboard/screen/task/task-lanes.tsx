import { kinds, useOperation } from '../../api/queries.ts';
import type { Output } from '../../api/operations.ts';
import { type Status, statusTexts, statusTones } from '../../component/task-status.tsx';
import type { Bar, Lane } from '../../component/timeline/span.ts';
import { Timeline } from '../../component/timeline/timeline.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { taskConcern } from './concern.ts';

const texts = defineTexts({
  label: {
    en: 'The states of the task, its run and its executions over time. The table below has the same content.',
    ja: 'タスク、run、作業の状態を時間順に示します。下の表に同じ内容があります。',
  },
  task: { en: 'Task', ja: 'タスク' },
  run: { en: 'Run', ja: 'run' },
  execution: { en: (agent: string) => `Work by ${agent}`, ja: (agent) => `${agent} の作業` },
});

type Task = Output<'describe_task'>['task'];

/** A task across toolsets: its own states, those of its run, and the agents that worked on it. */
export function TaskLanes({ task }: { readonly task: Task }) {
  const t = useTexts(texts);
  const names = useTexts(statusTexts);
  const history = useOperation('get_task_history', { task_id: task.task_id, limit: 500 }, taskConcern);
  const executions = useOperation('list_execution_logs', { task_id: task.task_id, limit: 20 }, taskConcern);
  const run = useOperation('describe_run', { run_id: task.run_id ?? '' }, taskConcern, {
    enabled: task.run_id !== null,
  });
  const { data: pairs } = useOperation('list_instances', { limit: 500 }, kinds('project.', 'identity.'));
  const nameOf = (id: string): string => pairs?.instances.find((one) => one.agent_id === id)?.agent_name ?? id;
  const isOver = run.data?.is_final === true;
  const lanes: readonly Lane[] = [
    { id: 'task', title: t.task, bars: statusBars(task, history.data?.history ?? [], names) },
    ...(run.data === undefined
      ? []
      : [
          {
            id: 'run',
            title: `${t.run} ${run.data.process_id}`,
            bars: run.data.visits.flatMap(({ state, entered_at: from, left_at: to }): Bar[] =>
              to === null && isOver
                ? []
                : [
                    {
                      text: state,
                      tone: to === null ? 'here' : 'plain',
                      from: Date.parse(from),
                      to: to === null ? null : Date.parse(to),
                    },
                  ],
            ),
          },
        ]),
    ...(executions.data?.logs ?? [])
      .toReversed()
      .map((one): Lane => ({
        id: one.executionId,
        title: t.execution(nameOf(one.agentId)),
        bars: [
          {
            text: one.status,
            tone: one.status === 'running' ? 'live' : one.status === 'completed' ? 'plain' : 'bad',
            from: Date.parse(one.startedAt),
            to: one.completedAt === null ? null : Date.parse(one.completedAt),
          },
        ],
      })),
  ];
  return <Timeline label={t.label} lanes={lanes} />;
}

/** The bars of a task's statuses. A closed status never ends, so it is left out; the end of the one before shows its start. */
function statusBars(
  task: Task,
  history: Output<'get_task_history'>['history'],
  names: Readonly<Record<Status, string>>,
): readonly Bar[] {
  const moves = history.flatMap(({ at, changes }) => {
    const to = changes['status']?.to;
    return typeof to === 'string' ? [{ at: Date.parse(at), to: to as Status }] : [];
  });
  const steps = [{ at: Date.parse(task.created_at), to: 'backlog' as Status }, ...moves];
  return steps.flatMap(({ at, to }, index): Bar[] => {
    const next = steps[index + 1];
    if (next === undefined && (to === 'done' || to === 'cancelled')) return [];
    return [{ text: names[to], tone: statusTones[to], from: at, to: next?.at ?? null }];
  });
}
