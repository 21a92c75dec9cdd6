import type { Output } from '../../api/operations.ts';
import { about, useOperation } from '../../api/queries.ts';
import { Actor } from '../../component/actor.tsx';
import { Time } from '../../component/time.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  shipped: { en: 'This process comes with Sekisho.', ja: 'Sekisho に付属しています。' },
  trusted: {
    en: 'The file has not changed since a person last reviewed it.',
    ja: '人が最後に確認してから、ファイルは変わっていません。',
  },
  changed: {
    en: 'The file has changed since the last review. This page shows the last trusted version, and runs follow that version.',
    ja: '最後の確認後にファイルが変更されています。表示しているのは最後に信頼されたバージョンで、run もこれに従います。',
  },
  removed: {
    en: 'The file was removed. The last trusted version stays in effect.',
    ja: 'ファイルは削除されています。最後に信頼されたバージョンが引き続き使われます。',
  },
  never: {
    en: 'This file has not been reviewed, so the programs in it do not run.',
    ja: 'まだ確認されていないため、この中のプログラムは実行されません。',
  },
  by: { en: 'Reviewed by', ja: '確認した人' },
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
