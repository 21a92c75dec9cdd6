import { useDeferredValue, useMemo, useState } from 'react';
import { usePages } from '../../api/pages.ts';
import type { Output } from '../../api/operations.ts';
import { kinds, useOperation } from '../../api/queries.ts';
import { useFilter } from '../../app/address.ts';
import { Badge } from '../../component/badge.tsx';
import { Empty } from '../../component/empty.tsx';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { RunState } from '../../component/run-state.tsx';
import { Table } from '../../component/table.tsx';
import { Time } from '../../component/time.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { NewRunDialog } from './new-run-dialog.tsx';
import { RunFilters } from './run-filters.tsx';

const texts = defineTexts({
  title: { en: 'Runs', ja: 'run の一覧' },
  about: { en: 'Every run of this project, newest first.', ja: 'このプロジェクトのすべての run (新しい順)。' },
  newRun: { en: 'New run', ja: '新しい run' },
  process: { en: 'Process', ja: 'プロセス' },
  run: { en: 'Run', ja: 'run' },
  state: { en: 'State', ja: '状態' },
  revision: { en: 'Revision', ja: 'リビジョン' },
  age: { en: 'Started', ja: '開始' },
  changed: { en: 'Changed', ja: '更新' },
  current: { en: 'current', ja: '現在の run' },
  waiting: { en: 'waiting for you', ja: '承認待ち' },
  final: { en: 'final', ja: '終了' },
  empty: { en: 'No runs yet', ja: 'run はまだありません' },
  why: {
    en: 'A run is one pass through a process. Start one here, or let an agent start it:',
    ja: 'run とは、プロセスを最初から最後まで一度進めることです。ここで開始するか、エージェントに開始させてください:',
  },
  none: { en: 'No run matches these filters', ja: '条件に合う run はありません' },
  noneWhy: { en: 'Remove a filter to see more.', ja: '絞り込みを減らすと表示されます。' },
});

type Run = Output<'state_gate.list_runs'>['runs'][number];

export default function Runs() {
  const t = useTexts(texts);
  const [only] = useFilter('only');
  const [process] = useFilter('process');
  const [given] = useFilter('text');
  const text = useDeferredValue(given);
  const [creates, setCreates] = useState(false);
  const input = {
    limit: 50,
    ...(only === 'open' && { open: true }),
    ...(process !== '' && { process_id: process }),
    ...(text !== '' && { text }),
  };
  const pages = usePages('state_gate.list_runs', input, kinds('run.'), (answer) => answer.runs);
  const { data: waits } = useOperation('list_waiting', { limit: 50 }, kinds('run.'));
  const waiting = useMemo(() => new Set(waits?.waiting.map((one) => one.run_id)), [waits]);
  const rows = pages.rows?.filter((one) => only !== 'waiting' || waiting.has(one.run_id));
  const isFiltered = only !== '' || process !== '' || text !== '';
  const columns = [
    {
      id: 'run',
      title: t.run,
      cell: (run: Run) => (
        <To href={`/runs/${run.run_id}`} row>
          <Visible text={run.title ?? run.process_id} />
          <code className="dim below">{run.run_id.slice(0, 17)}…</code>
        </To>
      ),
    },
    {
      id: 'process',
      title: t.process,
      cell: (run: Run) => (
        <>
          {run.process_id} <span className="dim">{run.process_version}</span>
        </>
      ),
    },
    {
      id: 'state',
      title: t.state,
      cell: (run: Run) => (
        <span className="meta">
          <RunState state={run.current_state} status={run.status} />
          {waiting.has(run.run_id) && <Badge tone="wait">{t.waiting}</Badge>}
          {run.is_current && <Badge tone="here">{t.current}</Badge>}
          {run.status === 'completed' && <span className="dim">{t.final}</span>}
        </span>
      ),
    },
    { id: 'revision', title: t.revision, numeric: true, cell: (run: Run) => run.revision },
    { id: 'age', title: t.age, cell: (run: Run) => <Time at={run.created_at} /> },
    { id: 'changed', title: t.changed, cell: (run: Run) => <Time at={run.updated_at} /> },
  ];
  return (
    <>
      <Head title={t.title} about={t.about}>
        <button type="button" className="primary" onClick={() => setCreates(true)}>
          {t.newRun}
        </button>
      </Head>
      <RunFilters />
      {pages.error !== null && <Failure error={pages.error} retry={pages.retry} />}
      {rows === undefined && pages.error === null && <Loading />}
      {rows?.length === 0 &&
        (isFiltered ? (
          <Empty title={t.none} why={t.noneWhy} />
        ) : (
          <Empty title={t.empty} why={t.why} command="sekisho gate create-run --process-id exploration" />
        ))}
      {rows !== undefined && rows.length > 0 && (
        <Table label={t.title} columns={columns} rows={rows} idOf={(run) => run.run_id} />
      )}
      <More onMore={pages.more} isLoading={pages.isLoading} />
      {creates && <NewRunDialog onClose={() => setCreates(false)} />}
    </>
  );
}
