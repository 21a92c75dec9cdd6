import { useDeferredValue, useState } from 'react';
import { usePages } from '../../api/pages.ts';
import { kinds } from '../../api/queries.ts';
import { useFilter } from '../../app/address.ts';
import { Empty } from '../../component/empty.tsx';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { JournalTable } from '../../component/journal-table.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { Panel } from '../../component/panel.tsx';
import { Verification } from '../../component/verification.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { ExportButton } from './export-button.tsx';
import { JournalFilters } from './journal-filters.tsx';

const texts = defineTexts({
  title: { en: 'Journal', ja: 'ジャーナル' },
  about: {
    en: 'Who did what, newest first. Every entry is linked to the one before.',
    ja: '誰が何をしたか (新しい順)。各行は直前の行とつながっています。',
  },
  proof: { en: 'Proof', ja: '証明' },
  explain: {
    en: 'Checks that no entry was altered, added or removed. Paste a saved head hash to detect truncation too.',
    ja: '履歴が改ざんされていないか検証します。保存しておいた先頭ハッシュを入れると、末尾の削除も検出できます。',
  },
  head: { en: 'Saved head hash (optional)', ja: '保存しておいた先頭ハッシュ (任意)' },
  empty: { en: 'No entries yet', ja: 'まだ記録はありません' },
  why: {
    en: 'Everything that agents and people do in this project is recorded here. To begin:',
    ja: 'このプロジェクトでエージェントや人がしたことは、すべてここに記録されます。始めるには:',
  },
  none: { en: 'No entry matches these filters', ja: '条件に合う行はありません' },
  noneWhy: { en: 'Remove a filter to see more.', ja: '絞り込みを減らすと表示されます。' },
});

export default function Journal() {
  const t = useTexts(texts);
  const [head, setHead] = useState('');
  const [kind] = useFilter('kind');
  const [subject] = useFilter('subject');
  const [actor] = useFilter('actor');
  const [text] = useFilter('text');
  const [since] = useFilter('since');
  const [until] = useFilter('until');
  const filters = { kind, subject, actor, text, since: asTime(since), until: asTime(until) };
  const given = Object.entries(filters).filter(([, value]) => value.trim() !== '');
  const input = useDeferredValue(
    JSON.stringify(Object.fromEntries(given.map(([name, value]) => [name, value.trim()]))),
  );
  const chosen = JSON.parse(input) as Record<string, string>;
  const pages = usePages('list_journal', { limit: 50, ...chosen }, kinds(kind), (answer) => answer.entries);
  return (
    <>
      <Head title={t.title} about={t.about}>
        <ExportButton input={chosen} />
      </Head>
      <Panel title={t.proof} className="proof">
        <p className="dim">{t.explain}</p>
        <Verification head={head}>
          <input
            aria-label={t.head}
            placeholder={t.head}
            className="code"
            value={head}
            onChange={(event) => setHead(event.target.value)}
          />
        </Verification>
      </Panel>
      <JournalFilters />
      {pages.error !== null && <Failure error={pages.error} retry={pages.retry} />}
      {pages.rows === undefined && pages.error === null && <Loading />}
      {pages.rows?.length === 0 &&
        (given.length > 0 ? (
          <Empty title={t.none} why={t.noneWhy} />
        ) : (
          <Empty title={t.empty} why={t.why} command="sekisho start exploration" />
        ))}
      {pages.rows !== undefined && pages.rows.length > 0 && (
        <JournalTable label={t.title} rows={pages.rows} withSubject />
      )}
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}

/** Converts the value of a time field, which is in local time, to ISO. */
function asTime(local: string): string {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? '' : at.toISOString();
}
