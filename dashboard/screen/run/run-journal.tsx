import { usePages } from '../../api/pages.ts';
import type { Output } from '../../api/operations.ts';
import { about } from '../../api/queries.ts';
import { Actor } from '../../component/actor.tsx';
import { Failure } from '../../component/failure.tsx';
import { JsonTree } from '../../component/json-tree.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { Table } from '../../component/table.tsx';
import { Time } from '../../component/time.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: 'Journal of this run', ja: 'この実行のジャーナル' },
  seq: { en: 'No.', ja: '番号' },
  at: { en: 'When', ja: '日時' },
  actor: { en: 'Who', ja: '実行者' },
  kind: { en: 'What', ja: '種類' },
  data: { en: 'Data', ja: 'データ' },
  show: { en: 'Show', ja: '表示' },
});

type Row = Output<'list_journal'>['entries'][number];

export function RunJournal({ runId }: { readonly runId: string }) {
  const t = useTexts(texts);
  const pages = usePages('list_journal', { subject: runId, limit: 20 }, about(runId), (answer) => answer.entries);
  if (pages.error !== null) return <Failure error={pages.error} retry={pages.retry} />;
  if (pages.rows === undefined) return <Loading />;
  const columns = [
    { id: 'seq', title: t.seq, numeric: true, cell: (row: Row) => row.seq },
    { id: 'at', title: t.at, cell: (row: Row) => <Time at={row.at} /> },
    { id: 'kind', title: t.kind, cell: (row: Row) => <b>{row.kind}</b> },
    { id: 'actor', title: t.actor, cell: (row: Row) => <Actor name={row.actor} /> },
    {
      id: 'data',
      title: t.data,
      cell: (row: Row) => (
        <details>
          <summary>{t.show}</summary>
          <JsonTree value={row.data} />
        </details>
      ),
    },
  ];
  return (
    <>
      <Table label={t.title} columns={columns} rows={pages.rows} idOf={(row) => String(row.seq)} />
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}
