import { useState } from 'react';
import { type Lang, type Theme, preferences, usePreferences } from '../../app/preferences.ts';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  language: { en: 'Language of this page', ja: 'このページの言語' },
  theme: { en: 'Theme of this page', ja: 'このページのテーマ' },
  system: { en: 'Same as the system', ja: 'システムに合わせる' },
  light: { en: 'Light', ja: 'ライト' },
  dark: { en: 'Dark', ja: 'ダーク' },
  notify: {
    en: 'Notify me when something is waiting and this page is in the background',
    ja: 'ページがバックグラウンドにあるとき、待っているものを通知する',
  },
  refused: {
    en: 'The browser does not allow it. Allow notifications for this address in its settings.',
    ja: 'ブラウザーで許可されていません。ブラウザーの設定でこのアドレスの通知を許可してください。',
  },
});

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Settings that are kept in this browser only. */
export function ThisBrowser() {
  const t = useTexts(texts);
  const { lang, theme, notifies } = usePreferences();
  const [refused, setRefused] = useState(false);
  const notify = async (wanted: boolean): Promise<void> => {
    const allowed = wanted && (await Notification.requestPermission()) === 'granted';
    setRefused(wanted && !allowed);
    preferences.set({ notifies: allowed });
  };
  return (
    <div className="fields">
      <label>
        {t.language}
        <select value={lang} onChange={(event) => preferences.set({ lang: event.target.value as Lang })}>
          <option value="en">English</option>
          <option value="ja">日本語</option>
        </select>
      </label>
      <label>
        {t.theme}
        <select value={theme} onChange={(event) => preferences.set({ theme: event.target.value as Theme })}>
          {themes.map((one) => (
            <option key={one} value={one}>
              {t[one]}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input type="checkbox" checked={notifies} onChange={(event) => void notify(event.target.checked)} />
        {t.notify}
      </label>
      {refused && (
        <p className="bad" role="alert">
          {t.refused}
        </p>
      )}
    </div>
  );
}
