import { AgentName } from '../../component/agent-name.tsx';
import { TaskNumber } from '../../component/task-number.tsx';
import { priorityTexts, TaskStatus } from '../../component/task-status.tsx';
import { Table } from '../../component/table.tsx';
import { Time } from '../../component/time.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import type { CardOf } from './card.tsx';

const texts = defineTexts({
  label: { en: 'Tasks', ja: 'タスク' },
  task: { en: 'Task', ja: 'タスク' },
  state: { en: 'State', ja: '状態' },
  priority: { en: 'Priority', ja: '優先度' },
  assignee: { en: 'Assignee', ja: '担当' },
  run: { en: 'Run', ja: 'run' },
  changed: { en: 'Changed', ja: '更新' },
  does: { en: 'Move', ja: '移動' },
  moveIt: { en: (title: string) => `Move ${title}`, ja: (title) => `${title} を移動` },
});

interface Props {
  readonly cards: readonly CardOf[];
  readonly onMove: (card: CardOf) => void;
}

/** The tasks of the board as a list. */
export function TaskList({ cards, onMove }: Props) {
  const t = useTexts(texts);
  const priority = useTexts(priorityTexts);
  const columns = [
    {
      id: 'task',
      title: t.task,
      cell: (card: CardOf) => (
        <To href={`/tasks/${card.task_id}`} row>
          <TaskNumber number={card.number} />
          <Visible text={card.title} />
        </To>
      ),
    },
    { id: 'state', title: t.state, cell: (card: CardOf) => <TaskStatus status={card.status} /> },
    { id: 'priority', title: t.priority, cell: (card: CardOf) => priority[card.priority] },
    {
      id: 'assignee',
      title: t.assignee,
      cell: (card: CardOf) => (card.assignee_id === null ? '–' : <AgentName id={card.assignee_id} />),
    },
    { id: 'run', title: t.run, cell: (card: CardOf) => card.run?.state ?? '–' },
    { id: 'changed', title: t.changed, cell: (card: CardOf) => <Time at={card.updated_at} /> },
    {
      id: 'does',
      title: t.does,
      cell: (card: CardOf) => (
        <button type="button" aria-label={t.moveIt(card.title)} onClick={() => onMove(card)}>
          {t.does}
        </button>
      ),
    },
  ];
  return <Table label={t.label} columns={columns} rows={cards} idOf={(card) => card.task_id} />;
}
