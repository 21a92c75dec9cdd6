import type { Output } from '../../api/operations.ts';
import { AgentName } from '../../component/agent-name.tsx';
import { Badge } from '../../component/badge.tsx';
import { RunState } from '../../component/run-state.tsx';
import { TaskNumber } from '../../component/task-number.tsx';
import { priorityTexts } from '../../component/task-status.tsx';
import { Time } from '../../component/time.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  move: { en: 'Move', ja: '移動' },
  moveIt: { en: (title: string) => `Move ${title}`, ja: (title) => `${title} を移動` },
  waits: {
    en: (first: string, more: number) => `Depends on ${first}${more > 0 ? ` and ${more} more` : ''}`,
    ja: (first, more) => `${first}${more > 0 ? ` ほか ${more} 件` : ''}に依存`,
  },
  run: { en: (state: string) => `Run: ${state}`, ja: (state) => `run: ${state}` },
  worksOn: { en: 'is working on it', ja: 'が作業中' },
  noOne: { en: 'unassigned', ja: '担当なし' },
});

export type CardOf = Output<'list_cards'>['cards'][number];

export function Card({ card, onMove }: { readonly card: CardOf; readonly onMove: () => void }) {
  const t = useTexts(texts);
  const priority = useTexts(priorityTexts);
  const [first] = card.waits_for;
  return (
    <li
      className="task-card"
      onKeyDown={(event) => {
        if (event.key === 'm' && !event.ctrlKey && !event.metaKey && !event.altKey) onMove();
      }}
    >
      <h3>
        <To href={`/tasks/${card.task_id}`} row>
          <TaskNumber number={card.number} />
          <Visible text={card.title} />
        </To>
      </h3>
      {first !== undefined && (
        <p className="waits">
          <Visible text={t.waits(first.title, card.waits_for.length - 1)} />
        </p>
      )}
      {card.labels.length > 0 && (
        <p className="chips">
          {card.labels.map((label) => (
            <code key={label}>
              <Visible text={label} />
            </code>
          ))}
        </p>
      )}
      <p className="meta">
        {card.priority !== 'medium' && (
          <Badge tone={card.priority === 'urgent' ? 'wait' : 'plain'}>{priority[card.priority]}</Badge>
        )}
        {card.run !== null && <RunState state={t.run(card.run.state)} status={card.run.status} />}
        {card.claimed_by === null ? (
          <span>{card.assignee_id === null ? t.noOne : <AgentName id={card.assignee_id} />}</span>
        ) : (
          <span className="works">
            <AgentName id={card.claimed_by} /> {t.worksOn}
          </span>
        )}
      </p>
      <div className="card-foot">
        <span className="dim">
          <Time at={card.updated_at} />
        </span>
        <button type="button" className="quiet" aria-label={t.moveIt(card.title)} onClick={onMove}>
          {t.move}
        </button>
      </div>
    </li>
  );
}
