import type { ReactNode } from 'react';

/** `here` and `wait` ask for a look, `live` is at work, `held` is proved, `bad` is broken; anything else is plain. */
export type Tone = 'here' | 'live' | 'wait' | 'held' | 'bad' | 'plain';

/** A state as a word: never by its colour alone. */
export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return <span className={`badge ${tone}`}>{children}</span>;
}
