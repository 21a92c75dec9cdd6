import { useAction } from '../../api/action.ts';
import type { Output } from '../../api/operations.ts';
import { kinds, useOperation } from '../../api/queries.ts';
import { Badge } from '../../component/badge.tsx';
import { Empty } from '../../component/empty.tsx';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { Loading } from '../../component/loading.tsx';
import { type Column, Table } from '../../component/table.tsx';
import { To } from '../../component/to.tsx';
import { UpstreamState } from '../../component/upstream-state.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: 'Upstreams', ja: '上流サーバー' },
  about: {
    en: 'Other MCP servers whose tools this project offers. You can lock a server until it is activated.',
    ja: 'このプロジェクトがツールを中継するほかの MCP サーバー。有効化するまでロックすることもできます。',
  },
  check: { en: 'Check all', ja: 'すべて確認' },
  checking: { en: 'Checking…', ja: '確認中…' },
  name: { en: 'Upstream', ja: '上流サーバー' },
  state: { en: 'State', ja: '状態' },
  tools: { en: 'Tools', ja: 'ツール数' },
  server: { en: 'Server', ja: 'サーバー' },
  address: { en: 'Address', ja: 'アドレス' },
  reconnects: { en: 'Reconnects', ja: '再接続' },
  gated: { en: 'needs activation', ja: '有効化が必要' },
  empty: { en: 'No upstreams yet', ja: '上流サーバーは設定されていません' },
  why: {
    en: 'Add one under “upstreams:” in .sekisho/config.yaml and trust the change (see docs/upstream.md). Then:',
    ja: '.sekisho/config.yaml の upstreams: に追加し、変更を信頼してください (docs/upstream.md)。その後:',
  },
});

type Upstream = Output<'upstream.status'>['upstreams'][number];

export default function Upstreams() {
  const t = useTexts(texts);
  const query = useOperation('upstream.status', {}, kinds('upstream.', 'file.'));
  const check = useAction('upstream.status');
  const columns: readonly Column<Upstream>[] = [
    {
      id: 'name',
      title: t.name,
      cell: (one) => (
        <span className="meta">
          <To href={`/upstreams/${encodeURIComponent(one.upstream)}`} row>
            <Visible text={one.upstream} />
          </To>
          {one.gated && <Badge>{t.gated}</Badge>}
        </span>
      ),
    },
    {
      id: 'state',
      title: t.state,
      cell: (one) => (
        <>
          <UpstreamState state={one.state} />
          {one.cause !== undefined && (
            <p className="dim">
              <Visible text={one.cause} />
            </p>
          )}
        </>
      ),
    },
    { id: 'tools', title: t.tools, numeric: true, cell: (one) => one.tools },
    { id: 'server', title: t.server, cell: (one) => <Visible text={one.server ?? '–'} /> },
    { id: 'reconnects', title: t.reconnects, numeric: true, cell: (one) => one.reconnects },
    {
      id: 'address',
      title: t.address,
      cell: (one) => (
        <code className="dim one-line" title={one.address}>
          <Visible text={one.address} />
        </code>
      ),
    },
  ];
  const rows = query.data?.upstreams;
  return (
    <>
      <Head title={t.title} about={t.about}>
        {rows !== undefined && rows.length > 0 && (
          <button type="button" disabled={check.isPending} onClick={() => check.mutate({ check: true })}>
            {check.isPending ? t.checking : t.check}
          </button>
        )}
      </Head>
      {query.error !== null && <Failure error={query.error} retry={() => void query.refetch()} />}
      {check.error !== null && <Failure error={check.error} />}
      {rows === undefined && query.error === null && <Loading />}
      {rows?.length === 0 && <Empty title={t.empty} why={t.why} command="sekisho upstream status --check" />}
      {rows !== undefined && rows.length > 0 && (
        <Table label={t.title} columns={columns} rows={rows} idOf={(one) => one.upstream} />
      )}
    </>
  );
}
