import { useMutation } from '@tanstack/react-query';
import type { Input } from '../../api/operations.ts';
import { useProject } from '../../app/project.tsx';
import { Failure } from '../../component/failure.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { exportJournal, save } from './export-journal.ts';

const texts = defineTexts({
  save: { en: 'Export', ja: '書き出す' },
  saving: { en: 'Exporting…', ja: '書き出し中…' },
  what: {
    en: 'Saves the entries that are shown as JSON Lines, oldest first',
    ja: '表示中の行を JSON Lines で保存します (古い順)',
  },
});

export function ExportButton({ input }: { readonly input: Input<'list_journal'> }) {
  const t = useTexts(texts);
  const project = useProject();
  const write = useMutation({
    mutationFn: () => exportJournal(project, input),
    onSuccess: (blob) => save(blob, `journal-${new Date().toISOString().slice(0, 10)}.jsonl`),
  });
  return (
    <>
      <button type="button" title={t.what} disabled={write.isPending} onClick={() => write.mutate()}>
        {write.isPending ? t.saving : t.save}
      </button>
      {write.error !== null && <Failure error={write.error} />}
    </>
  );
}
