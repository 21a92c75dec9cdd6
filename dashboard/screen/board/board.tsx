import { useDeferredValue, useState } from 'react';
import { usePages } from '../../api/pages.ts';
import { kinds } from '../../api/queries.ts';
import { useFilter } from '../../app/address.ts';
import { Empty } from '../../component/empty.tsx';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { type Status, statusTexts } from '../../component/task-status.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { BoardFilters } from './board-filters.tsx';
import { Card, type CardOf } from './card.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { TaskDialog } from './task-dialog.tsx';
import { TaskList } from './task-list.tsx';

const texts = defineTexts({
  title: { en: 'Board', ja: 'ボード' },
  about: {
    en: 'Tasks by status, most urgent first. Press M to move the selected task.',
    ja: '状態ごとのタスク (緊急なものが上)。M キーで選択中のタスクを移動します。',
  },
  newTask: { en: 'New task', ja: '新しいタスク' },
  column: { en: 'Column', ja: '列' },
  nothing: { en: 'No tasks', ja: 'なし' },
  empty: { en: 'No tasks yet', ja: 'タスクはまだありません' },
  why: {
    en: 'A task is a piece of work for an agent or a person. Create one here, or let an agent plan. You need a project first:',
    ja: 'タスクとは、エージェントや人が行う仕事です。ここで作成するか、エージェントに計画させてください。先にプロジェクトが必要です:',
  },
  none: { en: 'No task matches these filters', ja: '条件に合うタスクはありません' },
  noneWhy: { en: 'Remove a filter to see more.', ja: '絞り込みを減らすと表示されます。' },
});

export default function Board() {
  const t = useTexts(texts);
  const names = useTexts(statusTexts);
  const [project] = useFilter('project_id');
  const [assignee] = useFilter('assignee');
  const [label] = useFilter('label');
  const [given] = useFilter('text');
  const [view] = useFilter('view');
  const [chosen, choose] = useFilter('column');
  const [creates, setCreates] = useState(false);
  const [moving, setMoving] = useState<CardOf>();
  const text = useDeferredValue(given);
  const wanted = {
    limit: 30,
    ...(project !== '' && { project_id: project }),
    ...(assignee !== '' && { assignee_id: assignee }),
    ...(label !== '' && { label }),
    ...(text !== '' && { text }),
  };
  const columns = useColumns(wanted);
  const failed = columns.find(({ pages }) => pages.error !== null)?.pages;
  const isLoaded = columns.every(({ pages }) => pages.rows !== undefined);
  const isEmpty = columns.every(({ pages }) => pages.rows?.length === 0);
  const isFiltered = project !== '' || assignee !== '' || label !== '' || text !== '';
  const shown = chosen === '' ? 'in_progress' : chosen;
  const count = ({ rows, more }: (typeof columns)[number]['pages']): string =>
    `${rows?.length ?? 0}${more === undefined ? '' : '+'}`;
  return (
    <>
      <Head title={t.title} about={t.about}>
        <button type="button" className="primary" onClick={() => setCreates(true)}>
          {t.newTask}
        </button>
      </Head>
      <BoardFilters />
      {failed?.error != null && <Failure error={failed.error} retry={failed.retry} />}
      {!isLoaded && failed === undefined && <Loading />}
      {isEmpty &&
        (isFiltered ? (
          <Empty title={t.none} why={t.noneWhy} />
        ) : (
          <Empty title={t.empty} why={t.why} command="sekisho admin create-project --name app --working-directory ." />
        ))}
      {isLoaded && !isEmpty && view === 'list' && (
        <>
          <TaskList cards={columns.flatMap(({ pages }) => pages.rows ?? [])} onMove={setMoving} />
          {columns.map(({ status, pages }) => (
            <More key={status} onMore={pages.more} isLoading={pages.isLoading} />
          ))}
        </>
      )}
      {isLoaded && !isEmpty && view !== 'list' && (
        <>
          <div className="column-choice" role="group" aria-label={t.column}>
            {columns.map(({ status, pages }) => (
              <button key={status} type="button" aria-pressed={status === shown} onClick={() => choose(status)}>
                {names[status]} <span className="dim">{count(pages)}</span>
              </button>
            ))}
          </div>
          <div className="board">
            {columns.map(({ status, pages }) => (
              <section key={status} className={`column ${status === shown ? 'shown' : ''}`} aria-label={names[status]}>
                <h2>
                  {names[status]} <span className="dim">{count(pages)}</span>
                </h2>
                {pages.rows?.length === 0 && <p className="dim nothing">{t.nothing}</p>}
                <ul className="bare">
                  {pages.rows?.map((card) => (
                    <Card key={card.task_id} card={card} onMove={() => setMoving(card)} />
                  ))}
                </ul>
                <More onMore={pages.more} isLoading={pages.isLoading} />
              </section>
            ))}
          </div>
        </>
      )}
      {creates && <TaskDialog onClose={() => setCreates(false)} />}
      {moving !== undefined && <MoveDialog task={moving} onClose={() => setMoving(undefined)} />}
    </>
  );
}

/** The columns in the order of the board. Each has its own pages. */
function useColumns(wanted: object) {
  const backlog = useColumn('backlog', wanted);
  const todo = useColumn('todo', wanted);
  const inProgress = useColumn('in_progress', wanted);
  const blocked = useColumn('blocked', wanted);
  const done = useColumn('done', wanted);
  const cancelled = useColumn('cancelled', wanted);
  return [
    { status: 'backlog', pages: backlog },
    { status: 'todo', pages: todo },
    { status: 'in_progress', pages: inProgress },
    { status: 'blocked', pages: blocked },
    { status: 'done', pages: done },
    { status: 'cancelled', pages: cancelled },
  ] as const;
}

function useColumn(status: Status, wanted: object) {
  return usePages(
    'list_cards',
    { status, ...wanted },
    kinds('task.', 'run.', 'session.', 'execution.'),
    (answer) => answer.cards,
  );
}
