import type { Output } from '../../api/operations.ts';
import { AgentName } from '../../component/agent-name.tsx';
import { Facts } from '../../component/facts.tsx';
import { RunState } from '../../component/run-state.tsx';
import { TaskNumber } from '../../component/task-number.tsx';
import { TaskStatus } from '../../component/task-status.tsx';
import { Time } from '../../component/time.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  project: { en: 'Project', ja: 'プロジェクト' },
  assignee: { en: 'Assignee', ja: '担当' },
  unassigned: { en: 'unassigned', ja: 'なし' },
  run: { en: 'Run', ja: 'run' },
  process: { en: 'Process', ja: 'プロセス' },
  later: { en: 'starts with the task', ja: 'タスクの開始時に始まります' },
  claimed: { en: 'Claimed until', ja: '担当の期限' },
  labels: { en: 'Labels', ja: 'ラベル' },
  parent: { en: 'Parent task', ja: '親タスク' },
  children: { en: 'Subtasks', ja: '子タスク' },
  created: { en: 'Created', ja: '作成' },
  started: { en: 'Started', ja: '開始' },
  completed: { en: 'Closed', ja: '完了' },
  summary: { en: 'Summary', ja: 'まとめ' },
});

export function TaskFacts({ described }: { readonly described: Output<'describe_task'> }) {
  const t = useTexts(texts);
  const { task, project_name: project, run, parent, children } = described;
  const facts = [
    { title: t.project, value: <To href={`/work/projects/${task.project_id}`}>{project}</To> },
    {
      title: t.assignee,
      value:
        task.assignee_id === null ? <span className="dim">{t.unassigned}</span> : <AgentName id={task.assignee_id} />,
    },
    task.process_id === null
      ? undefined
      : {
          title: run === null ? t.process : t.run,
          value:
            run === null ? (
              `${task.process_id} (${t.later})`
            ) : (
              <span className="meta">
                <To href={`/runs/${run.run_id}`}>{task.process_id}</To>
                <RunState state={run.state} status={run.status} tone="here" />
              </span>
            ),
        },
    task.claimed_until === null ? undefined : { title: t.claimed, value: <Clock at={task.claimed_until} /> },
    task.labels.length === 0
      ? undefined
      : {
          title: t.labels,
          value: (
            <span className="chips">
              {task.labels.map((label) => (
                <code key={label}>
                  <Visible text={label} />
                </code>
              ))}
            </span>
          ),
        },
    parent === null ? undefined : { title: t.parent, value: <TaskLinks tasks={[parent]} /> },
    children.length === 0 ? undefined : { title: t.children, value: <TaskLinks tasks={children} /> },
    { title: t.created, value: <Time at={task.created_at} /> },
    task.started_at === null ? undefined : { title: t.started, value: <Time at={task.started_at} /> },
    task.completed_at === null ? undefined : { title: t.completed, value: <Time at={task.completed_at} /> },
    task.summary === null ? undefined : { title: t.summary, value: <Visible text={task.summary} /> },
  ];
  return <Facts facts={facts} />;
}

/** A time of day, for times in the future. */
function Clock({ at }: { readonly at: string }) {
  return <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time>;
}

function TaskLinks({ tasks }: { readonly tasks: Output<'describe_task'>['children'] }) {
  return (
    <ul className="bare">
      {tasks.map((one) => (
        <li key={one.task_id} className="linked">
          <To href={`/tasks/${one.task_id}`}>
            <TaskNumber number={one.number} />
            <Visible text={one.title} />
          </To>{' '}
          <TaskStatus status={one.status} />
        </li>
      ))}
    </ul>
  );
}
