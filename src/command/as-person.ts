import type { App } from '../app/application.ts';
import { createApp } from '../app/application.ts';
import { openUserStore } from '../app/user-store.ts';
import type { Config } from '../config/load.ts';
import type { Author } from '../kernel/journal.ts';
import { refusal } from '../kernel/problem.ts';
import type { Store } from '../kernel/store.ts';
import type { Sentence } from '../kernel/text.ts';
import { askAtTerminal } from '../surface/terminal/question.ts';

/** A person, proved, and the user's own state. */
export interface AtUserState {
  readonly store: Store;
  readonly by: Author;
  /** At a terminal: what is about to be done is shown there and asked. A token is somebody who has been asked before. */
  readonly agrees: (text: Sentence, question: Sentence) => Promise<boolean>;
}

/** Does something to the user's own state, as a person. Nobody else may. */
export async function asPerson<T>(config: Config, what: string, work: (at: AtUserState) => Promise<T>): Promise<T> {
  const app = createApp(config);
  try {
    const actor = await requirePerson(app, what);
    const store = await openUserStore(config);
    try {
      const by = { actor, project: { key: 'user' }, now: () => new Date() };
      const { lang } = config;
      const agrees: AtUserState['agrees'] = async (text, question) =>
        !config.terminal || askAtTerminal(text(lang), question(lang));
      return await work({ store, by, agrees });
    } finally {
      await store.close();
    }
  } finally {
    await app.close();
  }
}

export async function requirePerson(app: App, what: string): Promise<Author['actor']> {
  const actor = await app.actor({});
  if (!actor.person) throw refusal.person({ what });
  return actor;
}
