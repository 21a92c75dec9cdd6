import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({ more: { en: 'Show more', ja: 'さらに表示' } });

/** The button for the next page of a list, if there is one. */
export function More({
  onMore,
  isLoading,
}: {
  readonly onMore: (() => void) | undefined;
  readonly isLoading: boolean;
}) {
  const t = useTexts(texts);
  if (onMore === undefined) return null;
  return (
    <p className="more">
      <button type="button" disabled={isLoading} onClick={onMore}>
        {t.more}
      </button>
    </p>
  );
}
