import { ApiFailure } from '../api/client.ts';
import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({
  unreachable: {
    en: 'The daemon does not answer. If it is not running, start it with sekisho up --background.',
    ja: 'デーモンが応答しません。動いていない場合は sekisho up --background で起動してください。',
  },
  page: {
    en: (what: string) =>
      `Something went wrong on this page: ${what}. Reload it. If that does not help, please report it.`,
    ja: (what) => `ページで不具合が起きました: ${what}。再読み込みしても直らない場合は報告してください。`,
  },
  next: { en: 'Next:', ja: '次の手順:' },
  again: { en: 'Try again', ja: '再試行' },
});

/** An error with its code, and what to do now. */
export function Failure({ error, retry }: { readonly error: Error; readonly retry?: () => void }) {
  const t = useTexts(texts);
  const isOurs = error instanceof ApiFailure;
  const code = isOurs ? error.code : error.name;
  const message = !isOurs ? t.page(error.message) : error.code === 'UNREACHABLE' ? t.unreachable : error.message;
  const next = isOurs ? error.details['next_step'] : undefined;
  return (
    <div className="failure" role="alert">
      <p>
        <code>{code}</code> {message}
      </p>
      {typeof next === 'string' && (
        <p>
          <b>{t.next}</b> {next}
        </p>
      )}
      {retry !== undefined && (
        <button type="button" onClick={retry}>
          {t.again}
        </button>
      )}
    </div>
  );
}
