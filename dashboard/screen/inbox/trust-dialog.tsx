import { useQuery } from '@tanstack/react-query';
import { ask } from '../../api/client.ts';
import { useAction } from '../../api/action.ts';
import { useProject } from '../../app/project.tsx';
import { Dialog } from '../../component/dialog.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { PlainText } from '../../component/plain-text.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  title: { en: (file: string) => `Trust ${file}?`, ja: (file) => `${file} を信頼しますか?` },
  about: {
    en: 'The changes since the last review, and every program that this version would start.',
    ja: '前回の確認後の変更点と、このバージョンが起動するすべてのプログラムです。',
  },
  nothing: { en: 'There is nothing to review.', ja: '確認するものはありません。' },
  trust: { en: 'Trust exactly this', ja: 'この内容を信頼する' },
  cancel: { en: 'Cancel', ja: 'キャンセル' },
});

/** Shows a file, and trusts exactly the version that is shown. */
export function TrustDialog({ file, onClose }: { readonly file: string; readonly onClose: () => void }) {
  const t = useTexts(texts);
  const project = useProject();
  const asked = useQuery({
    queryKey: [project, 'trust', 'ask', file],
    queryFn: () => ask(project, 'trust', { files: [file] }),
    staleTime: 0,
    gcTime: 0,
  });
  const trust = useAction('trust', onClose);
  return (
    <Dialog title={t.title(file)} onClose={onClose}>
      <p>{t.about}</p>
      {asked.error !== null && <Failure error={asked.error} />}
      {asked.isPending && <Loading />}
      {asked.data !== undefined &&
        (asked.data.text === null ? <p>{t.nothing}</p> : <PlainText text={asked.data.text} />)}
      {trust.error !== null && <Failure error={trust.error} />}
      <div className="actions">
        <button type="button" onClick={onClose}>
          {t.cancel}
        </button>
        <button
          type="button"
          className="primary"
          disabled={asked.data?.text == null || trust.isPending}
          onClick={() => asked.data !== undefined && trust.mutate(asked.data.input)}
        >
          {t.trust}
        </button>
      </div>
    </Dialog>
  );
}
