import { usePreferences } from '../app/preferences.ts';

/** Texts in each language, side by side. A text with parameters is a function. A missing language does not compile. */
export type Texts<T> = { readonly [K in keyof T]: { readonly en: T[K]; readonly ja: NoInfer<T[K]> } };

/** Defines the texts of a screen or component: `const texts = defineTexts({ title: { en: 'Inbox', ja: '受信箱' } })`. */
export function defineTexts<T>(texts: Texts<T>): Texts<T> {
  return texts;
}

/** The texts in the reader's language. */
export function useTexts<T>(texts: Texts<T>): { readonly [K in keyof T]: T[K] } {
  const { lang } = usePreferences();
  return Object.fromEntries(Object.keys(texts).map((key) => [key, texts[key as keyof T][lang]])) as T;
}
