import { usePreferences } from '../app/preferences.ts';

/** Texts in every language, side by side; one that takes parameters is a function. One that is missing does not compile. */
export type Texts<T> = { readonly [K in keyof T]: { readonly en: T[K]; readonly ja: NoInfer<T[K]> } };

/** Of a screen or component: `const texts = defineTexts({ title: { en: 'Inbox', ja: '受信箱' } })`. */
export function defineTexts<T>(texts: Texts<T>): Texts<T> {
  return texts;
}

/** The same texts in the language of the reader. */
export function useTexts<T>(texts: Texts<T>): { readonly [K in keyof T]: T[K] } {
  const { lang } = usePreferences();
  return Object.fromEntries(Object.keys(texts).map((key) => [key, texts[key as keyof T][lang]])) as T;
}
