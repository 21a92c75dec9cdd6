import { usePages } from '../../api/pages.ts';
import { about } from '../../api/queries.ts';
import { Failure } from '../../component/failure.tsx';
import { JournalTable } from '../../component/journal-table.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({ title: { en: 'Journal of this run', ja: 'この run のジャーナル' } });

export function RunJournal({ runId }: { readonly runId: string }) {
  const t = useTexts(texts);
  const pages = usePages('list_journal', { subject: runId, limit: 20 }, about(runId), (answer) => answer.entries);
  if (pages.error !== null) return <Failure error={pages.error} retry={pages.retry} />;
  if (pages.rows === undefined) return <Loading />;
  return (
    <>
      <JournalTable label={t.title} rows={pages.rows} />
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}
