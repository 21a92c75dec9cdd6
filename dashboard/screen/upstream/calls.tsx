import { usePages } from '../../api/pages.ts';
import type { Output } from '../../api/operations.ts';
import { kinds } from '../../api/queries.ts';
import { Actor } from '../../component/actor.tsx';
import { Badge } from '../../component/badge.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { sizeText } from '../../component/size.ts';
import { type Column, Table } from '../../component/table.tsx';
import { Time } from '../../component/time.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: 'Recent calls', ja: '最近の呼び出し' },
  none: {
    en: 'No calls yet. Each call appears here with its outcome and duration.',
    ja: '中継された呼び出しはまだありません。結果と所要時間とともにここに表示されます。',
  },
  summary: {
    en: (calls: number, median: string, errors: number) => `${calls} calls shown: median ${median}, ${errors} failed.`,
    ja: (calls, median, errors) => `表示中の ${calls} 件: 中央値 ${median}、失敗 ${errors} 件`,
  },
  at: { en: 'When', ja: '日時' },
  tool: { en: 'Tool', ja: 'ツール' },
  outcome: { en: 'Outcome', ja: '結果' },
  took: { en: 'Duration', ja: '所要時間' },
  size: { en: 'Answer', ja: '応答' },
  actor: { en: 'By', ja: '操作者' },
  ok: { en: 'ok', ja: '成功' },
  tool_error: { en: 'tool error', ja: 'ツールのエラー' },
  error: { en: 'error', ja: 'エラー' },
  cancelled: { en: 'cancelled', ja: '中止' },
  locked: { en: 'locked', ja: 'ロック中' },
  disconnected: { en: 'disconnected', ja: '切断' },
  interrupted: { en: 'interrupted', ja: '中断' },
});

type Call = Output<'list_calls'>['calls'][number];

export function Calls({ upstream }: { readonly upstream: string }) {
  const t = useTexts(texts);
  const pages = usePages('list_calls', { upstream, limit: 50 }, kinds('upstream.call'), (answer) => answer.calls);
  if (pages.error !== null) return <Failure error={pages.error} retry={pages.retry} />;
  if (pages.rows === undefined) return <Loading />;
  if (pages.rows.length === 0) return <p className="dim">{t.none}</p>;
  const word = (outcome: string): string => (Object.hasOwn(t, outcome) ? t[outcome as 'ok'] : outcome);
  const columns: readonly Column<Call>[] = [
    { id: 'at', title: t.at, cell: (one) => <Time at={one.at} /> },
    {
      id: 'tool',
      title: t.tool,
      cell: (one) => (
        <code className="word">
          <Visible text={one.tool} />
        </code>
      ),
    },
    {
      id: 'outcome',
      title: t.outcome,
      cell: (one) => <Badge tone={one.outcome === 'ok' ? 'plain' : 'bad'}>{word(one.outcome)}</Badge>,
    },
    { id: 'took', title: t.took, numeric: true, cell: (one) => `${Math.round(one.duration_ms)} ms` },
    { id: 'size', title: t.size, numeric: true, cell: (one) => sizeText(one.bytes) },
    { id: 'actor', title: t.actor, cell: (one) => <Actor name={one.actor} /> },
  ];
  const times = pages.rows.map((one) => one.duration_ms).toSorted((a, b) => a - b);
  const median = `${Math.round(times[Math.floor((times.length - 1) / 2)] ?? 0)} ms`;
  const failed = pages.rows.filter((one) => one.outcome !== 'ok').length;
  return (
    <>
      <p className="dim">{t.summary(pages.rows.length, median, failed)}</p>
      <Table label={t.title} columns={columns} rows={pages.rows} idOf={(one) => String(one.seq)} />
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}
