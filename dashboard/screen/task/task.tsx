import { useState } from 'react';
import { useOperation } from '../../api/queries.ts';
import { AgentName } from '../../component/agent-name.tsx';
import { Badge } from '../../component/badge.tsx';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { LazyTaskGraph } from '../../component/lazy.tsx';
import { Loading } from '../../component/loading.tsx';
import { Panel } from '../../component/panel.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { TaskNumber } from '../../component/task-number.tsx';
import { priorityTexts, TaskStatus } from '../../component/task-status.tsx';
import { Time } from '../../component/time.tsx';
import { Visible } from '../../component/visible.tsx';
import type { ScreenProps } from '../../screens.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { MoveDialog } from '../board/move-dialog.tsx';
import { TaskDialog } from '../board/task-dialog.tsx';
import { DeleteDialog } from './delete-dialog.tsx';
import { taskConcern } from './concern.ts';
import { Executions } from './executions.tsx';
import { Handoffs } from './handoffs.tsx';
import { TaskContext } from './task-context.tsx';
import { TaskFacts } from './task-facts.tsx';
import { TaskLanes } from './task-lanes.tsx';
import { TaskTimeline } from './task-timeline.tsx';

const texts = defineTexts({
  edit: { en: 'Edit', ja: '編集' },
  move: { en: 'Move', ja: '移動' },
  remove: { en: 'Delete', ja: '削除' },
  works: { en: 'is working on it', ja: 'が作業中' },
  about: { en: 'Description', ja: '説明' },
  nothing: { en: 'No description.', ja: '説明はありません。' },
  acceptance: { en: 'Acceptance criteria', ja: '受け入れ条件' },
  graph: { en: 'Dependencies', ja: '依存関係' },
  noGraph: { en: 'This task depends on no other task, and no task depends on it.', ja: '依存関係はありません。' },
  when: { en: 'Over time', ja: '時間の流れ' },
  timeline: { en: 'Timeline', ja: 'タイムライン' },
  facts: { en: 'Details', ja: '詳細' },
  context: { en: 'Saved progress', ja: '作業の状況' },
  handoffs: { en: 'Hand-offs', ja: '引き継ぎ' },
  executions: { en: 'Executions', ja: '作業の記録' },
});

/** Everything about one task. */
export default function TaskScreen({ params }: ScreenProps) {
  const t = useTexts(texts);
  const priority = useTexts(priorityTexts);
  const id = params['id'] ?? '';
  const [opened, setOpened] = useState<'edit' | 'move' | 'delete'>();
  const query = useOperation('describe_task', { task_id: id }, taskConcern, {
    // Renewing a lease is not in the journal.
    every: ({ task }) => (task.claimed_until === null ? false : 10_000),
  });
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading />;
  const { task, run, moves, graph } = query.data;
  const close = (): void => setOpened(undefined);
  return (
    <div className="run task">
      <Head
        title={task.title}
        about={
          <span className="meta">
            <TaskStatus status={task.status} />
            <Badge tone={task.priority === 'urgent' ? 'wait' : 'plain'}>{priority[task.priority]}</Badge>
            {task.claimed_by !== null && (
              <span>
                <AgentName id={task.claimed_by} /> {t.works}
              </span>
            )}
            {task.number === null ? <ShortId id={task.task_id} length={16} /> : <TaskNumber number={task.number} />}
            <Time at={task.updated_at} />
          </span>
        }
      >
        <button type="button" onClick={() => setOpened('delete')}>
          {t.remove}
        </button>
        <button type="button" onClick={() => setOpened('edit')}>
          {t.edit}
        </button>
        <button type="button" className="primary" onClick={() => setOpened('move')}>
          {t.move}
        </button>
      </Head>
      <div className="columns">
        <div>
          <Panel title={t.about}>
            {task.description === '' ? (
              <p className="dim">{t.nothing}</p>
            ) : (
              <p className="written">
                <Visible text={task.description} />
              </p>
            )}
            {task.acceptance.length > 0 && (
              <>
                <h3 className="group">{t.acceptance}</h3>
                <ul>
                  {task.acceptance.map((one) => (
                    <li key={one}>
                      <Visible text={one} />
                    </li>
                  ))}
                </ul>
              </>
            )}
          </Panel>
          <Panel title={t.graph}>
            {graph.edges.length === 0 ? (
              <p className="dim">{t.noGraph}</p>
            ) : (
              <LazyTaskGraph graph={graph} current={task.task_id} />
            )}
          </Panel>
          <Panel title={t.when}>
            <TaskLanes task={task} />
          </Panel>
          <Panel title={t.timeline}>
            <TaskTimeline taskId={task.task_id} />
          </Panel>
        </div>
        <div>
          <Panel title={t.facts}>
            <TaskFacts described={query.data} />
          </Panel>
          <Panel title={t.context}>
            <TaskContext taskId={task.task_id} />
          </Panel>
          <Panel title={t.handoffs}>
            <Handoffs handoffs={query.data.handoffs} />
          </Panel>
          <Panel title={t.executions}>
            <Executions taskId={task.task_id} />
          </Panel>
        </div>
      </div>
      {opened === 'edit' && <TaskDialog task={task} onClose={close} />}
      {opened === 'move' && <MoveDialog task={{ ...task, moves, run }} onClose={close} />}
      {opened === 'delete' && <DeleteDialog task={task} onClose={close} />}
    </div>
  );
}
