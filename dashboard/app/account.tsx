import { callUser, sessionKey } from '../api/client.ts';
import { useUserCall } from '../api/queries.ts';
import { defineTexts, useTexts } from '../text/text.ts';

const texts = defineTexts({ signOut: { en: 'Sign out', ja: 'サインアウト' } });

/** The person who is signed in. */
export function Account({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const t = useTexts(texts);
  const { data } = useUserCall('get_session');
  const signOut = async (): Promise<void> => {
    await callUser('sign_out').catch(() => undefined);
    sessionKey.forget();
    onSignedOut();
  };
  return (
    <p className="account">
      <span title={data?.identity}>{data?.name ?? '…'}</span>
      <button type="button" className="quiet" onClick={() => void signOut()}>
        {t.signOut}
      </button>
    </p>
  );
}
