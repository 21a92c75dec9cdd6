import type { ReactNode } from 'react';

/** `here` and `wait` need attention, `live` is running, `held` is proved, `bad` is broken; anything else is plain. */
export type Tone = 'here' | 'live' | 'wait' | 'held' | 'bad' | 'plain';

/** A state as a word. Colour alone never shows it. */
export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
