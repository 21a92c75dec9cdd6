import type { App } from '../../app/application.ts';
import { createApp } from '../../app/application.ts';
import { openUserStore } from '../../app/user/user-store.ts';
import type { Config } from '../../config/load.ts';
import type { Author } from '../../kernel/store/journal.ts';
import { refusal } from '../../kernel/problem.ts';
import type { Store } from '../../kernel/store/store.ts';
import type { Sentence } from '../../kernel/text/text.ts';
import { definePhrases } from '../../kernel/text/text.ts';
import { askAtTerminal } from '../../surface/terminal/question.ts';

/** What only a person may do. */
export const deed = definePhrases({
  takeAway: { en: () => 'take away what init has set up', ja: () => 'init が設定したものの削除' },
  prepareAgain: {
    en: () => 'prepare a folder again that is registered already',
    ja: () => '登録済みのフォルダーをもう一度準備すること',
  },
  replaceProgram: {
    en: () => 'lead hooks to another program, or record one that was changed (sekisho status names the files)',
    ja: () => 'フックが使うプログラムの変更と、変更されたプログラムの記録 (対象は sekisho status で確認できます)',
  },
  seeSessions: { en: () => 'see who is signed in', ja: () => 'サインインしているブラウザーの確認' },
  signOut: { en: () => 'sign browsers out', ja: () => 'ブラウザーのサインアウト' },
  openDashboard: { en: () => 'open the dashboard', ja: () => 'ダッシュボードを開くこと' },
  makeTokens: { en: () => 'make tokens of people', ja: () => '人のトークンの作成' },
  seeTokens: { en: () => 'see the tokens of people', ja: () => '人のトークンの確認' },
  revokeTokens: { en: () => 'revoke tokens of people', ja: () => '人のトークンの失効' },
  backUp: { en: () => 'back the store up', ja: () => 'データベースのバックアップ' },
  restore: { en: () => 'restore the store from a backup', ja: () => 'バックアップからの復元' },
  addPeople: { en: () => 'add people', ja: () => '人の追加' },
  admitPeople: {
    en: () => 'say whose people count in this store',
    ja: () => 'どのユーザーデータベースの人を認めるかの決定',
  },
  removePeople: { en: () => 'remove people', ja: () => '人の削除' },
  editPrompts: { en: () => 'edit prompts', ja: () => 'プロンプトの編集' },
  changeRun: {
    en: ({ run }: { run: string }) => `change the current run while ${run} is open`,
    ja: ({ run }) => `${run} が進行中のときの現在の run の変更`,
  },
});

/** A person, proved, and the user's own state. */
export interface AtUserState {
  readonly store: Store;
  readonly by: Author;
  /** At a terminal: what is about to be done is shown there and asked. A token is somebody who has been asked before. */
  readonly agrees: (text: Sentence, question: Sentence) => Promise<boolean>;
}

/** Does something to the user's own state, as a person. Nobody else may. */
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
