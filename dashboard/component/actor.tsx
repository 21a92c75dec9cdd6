import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({
  unverified: { en: 'unverified', ja: '未確認' },
  why: { en: 'This caller did not prove its identity', ja: 'この呼び出し元は本人確認ができていません' },
});

const mark = ' (unverified)';
/** The part of one of our ids that identifies it. */
const longId = /([0-9a-f]{8}-[0-9a-f]{4})-[0-9a-f-]{20,}/;

/** An actor, as the journal writes it. An unverified one is marked. */
export function Actor({ name }: { readonly name: string }) {
  const t = useTexts(texts);
  const isUnverified = name.endsWith(mark);
  return (
    <span className="actor" title={longId.test(name) ? name : undefined}>
      {(isUnverified ? name.slice(0, -mark.length) : name).replace(longId, '$1…')}
      {isUnverified && (
        <span className="dim" title={t.why}>
          {' '}
          ({t.unverified})
        </span>
      )}
    </span>
  );
}
