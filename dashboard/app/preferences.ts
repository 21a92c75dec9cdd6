import { useSyncExternalStore } from 'react';

export type Lang = 'en' | 'ja';
export type Theme = 'system' | 'light' | 'dark';

export interface Preferences {
  readonly lang: Lang;
  readonly theme: Theme;
  /** Whether the browser shows notifications of waiting runs. */
  readonly notifies: boolean;
}

const name = 'sekisho-preferences';

function initial(): Preferences {
  const lang = navigator.language.startsWith('ja') ? 'ja' : 'en';
  const unasked: Preferences = { lang, theme: 'system', notifies: false };
  try {
    return { ...unasked, ...(JSON.parse(localStorage.getItem(name) ?? '{}') as Partial<Preferences>) };
  } catch {
    return unasked;
  }
}

let current = initial();
const listeners = new Set<() => void>();

function apply({ lang, theme }: Preferences): void {
  document.documentElement.lang = lang;
  document.documentElement.dataset['theme'] = theme;
}

/** The preferences of this browser. */
export const preferences = {
  get: (): Preferences => current,
  set(change: Partial<Preferences>): void {
    current = { ...current, ...change };
    localStorage.setItem(name, JSON.stringify(current));
    apply(current);
    for (const listener of listeners) listener();
  },
  begin: (): void => apply(current),
};

export function usePreferences(): Preferences {
  return useSyncExternalStore((listener) => {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }, preferences.get);
}
