import type { Output } from '../../api/operations.ts';
import { about, useOperation } from '../../api/queries.ts';
import { Actor } from '../../component/actor.tsx';
import { Time } from '../../component/time.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  shipped: { en: 'It comes with Sekisho.', ja: 'Sekisho に付属しています。' },
  trusted: { en: 'The file is as a person saw it last.', ja: 'ファイルは、人が最後に確認したとおりです。' },
  changed: {
    en: 'The file was changed since. What is shown here, and what runs follow, is the version that was trusted last.',
    ja: 'その後ファイルが変更されています。ここに表示され、実行が従うのは、最後に信頼されたバージョンです。',
  },
  removed: {
    en: 'The file is gone. The version that was trusted last goes on.',
    ja: 'ファイルは削除されています。最後に信頼されたバージョンが引き続き使われます。',
  },
  never: {
    en: 'Nobody has looked at it, so the programs in it do not run.',
    ja: '誰も確認していないため、この中のプログラムは実行されません。',
  },
  by: { en: 'Looked at by', ja: '確認した人' },
});

interface Props {
  readonly trust: Output<'describe_process'>['trust'];
  readonly source: string;
  readonly isShipped: boolean;
}

/** Whether the definition takes effect, and who last trusted it. */
export function Trust({ trust, source, isShipped }: Props) {
  const t = useTexts(texts);
  const { data } = useOperation('list_journal', { subject: source, kind: 'file.trusted', limit: 1 }, about(source));
  const last = data?.entries[0];
  return (
    <>
      <p>{isShipped ? t.shipped : t[trust]}</p>
      {last !== undefined && (
        <p className="meta">
          <span>{t.by}</span>
          <Actor name={last.actor} />
          <Time at={last.at} />
        </p>
      )}
    </>
  );
}
