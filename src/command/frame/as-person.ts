import { type App, createApp } from '../../app/application.ts';
import { openUserStore } from '../../app/user/user-store.ts';
import type { Config } from '../../config/load.ts';
import type { Author } from '../../kernel/store/journal.ts';
import { refusal } from '../../kernel/problem.ts';
import type { Store } from '../../kernel/store/store.ts';
import { type Sentence, definePhrases } from '../../kernel/text/text.ts';
import { askAtTerminal } from '../../surface/terminal/question.ts';
import * as ja from '../ja.ts';

export const english = {
  takeAway: () => 'take away what init has set up',
  prepareAgain: () => 'prepare a folder again that is registered already',
  replaceProgram: () =>
    'lead hooks to another program, or record one that was changed (sekisho status names the files)',
  seeSessions: () => 'see who is signed in',
  signOut: () => 'sign browsers out',
  openDashboard: () => 'open the dashboard',
  makeTokens: () => 'make tokens of people',
  seeTokens: () => 'see the tokens of people',
  revokeTokens: () => 'revoke tokens of people',
  backUp: () => 'back the store up',
  restore: () => 'restore the store from a backup',
  addPeople: () => 'add people',
  admitPeople: () => 'say whose people count in this store',
  removePeople: () => 'remove people',
  editPrompts: () => 'edit prompts',
  changeRun: ({ run }: { run: string }) => `change the current run while ${run} is open`,
};

/** What only a person may do. */
export const deed = definePhrases(english, ja.deed);

/** A person, proved, and the user's own state. */
export interface AtUserState {
  readonly store: Store;
  readonly by: Author;
  /** At a terminal: what is about to be done is shown there and asked. A token is somebody who has been asked before. */
  readonly agrees: (text: Sentence, question: Sentence) => Promise<boolean>;
}

/** Runs work on the user's own state, which only a person may do. */
export async function asPerson<T>(config: Config, what: Sentence, work: (at: AtUserState) => Promise<T>): Promise<T> {
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

export async function requirePerson(app: App, what: Sentence): Promise<Author['actor']> {
  const actor = await app.actor({});
  if (!actor.person) throw refusal.person({ what });
  return actor;
}
