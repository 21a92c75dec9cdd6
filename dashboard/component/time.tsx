import { usePreferences } from '../app/preferences.ts';
import { ago } from './ago.ts';
import { useNow } from './now.ts';

/** A relative time, with the full time on hover. */
export function Time({ at }: { readonly at: string }) {
  const { lang } = usePreferences();
  const now = useNow();
  const date = new Date(at);
  const full = new Intl.DateTimeFormat(lang, { dateStyle: 'medium', timeStyle: 'medium' }).format(date);
  return (
    <time dateTime={at} title={full}>
      {ago(date.getTime(), Math.max(now, date.getTime()), lang)}
    </time>
  );
}
