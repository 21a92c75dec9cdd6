import { defineTexts, useTexts } from '../text/text.ts';
import { type Lang, type Theme, preferences, usePreferences } from './preferences.ts';

const texts = defineTexts({
  language: { en: 'Language', ja: '言語' },
  theme: { en: 'Theme', ja: 'テーマ' },
  system: { en: 'System', ja: 'システム' },
  light: { en: 'Light', ja: 'ライト' },
  dark: { en: 'Dark', ja: 'ダーク' },
});

const themes: readonly Theme[] = ['system', 'light', 'dark'];

/** Switches for language and theme in this browser. */
export function PreferenceSwitches() {
  const t = useTexts(texts);
  const { lang, theme } = usePreferences();
  return (
    <div className="preferences">
      <select
        aria-label={t.language}
        value={lang}
        onChange={(event) => preferences.set({ lang: event.target.value as Lang })}
      >
        <option value="en">English</option>
        <option value="ja">日本語</option>
      </select>
      <select
        aria-label={t.theme}
        value={theme}
        onChange={(event) => preferences.set({ theme: event.target.value as Theme })}
      >
        {themes.map((one) => (
          <option key={one} value={one}>
            {t[one as 'system' | 'light' | 'dark']}
          </option>
        ))}
      </select>
    </div>
  );
}
