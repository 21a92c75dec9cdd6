import type { Japanese } from '../kernel/text/text.ts';
import type { englishProblem as personProblemEnglish, englishPhrase as personEnglish } from './person.ts';
import type { english as sessionProblemEnglish } from './session.ts';

export const personProblem: Japanese<typeof personProblemEnglish> = {
  PERSON_EXISTS: ({ name }) =>
    `「${name}」さんは既に登録されています。別のトークン: sekisho token create --person ${name}`,
  PERSON_NOT_FOUND: ({ name, known }) =>
    `「${name}」さんは登録されていません${known.length > 0 ? ` (登録済み: ${known.join(', ')})` : ''}。追加するには sekisho admin add-person ${name}`,
  PERSON_IS_USER: ({ name }) =>
    `${name} は、このデータを所有する OS ユーザー本人のため削除できません。トークンやブラウザーを無効にするには sekisho token revoke、sekisho session revoke --all を使います。`,
  TOKEN_NOT_FOUND: ({ id }) => `トークン「${id}」はありません。sekisho token list で確認してください。`,
};

export const person: Japanese<typeof personEnglish> = {
  newToken: ({ identity }) =>
    `${identity} の新しいトークンを作成します。このトークンを持つ人は、このユーザーのすべてのプロジェクトで本人として扱われます。`,
  newPerson: ({ name }) =>
    `「${name}」さんを専用のトークンとともに追加します。この人の承認はあなたの承認とは別に数えられます。`,
  revoke: ({ id }) => `トークン ${id} は使えなくなります。`,
  removePerson: ({ name, tokens, sessions }) =>
    `「${name}」さんを削除します。トークン ${tokens} 件とブラウザーのセッション ${sessions} 件は直ちに無効になります。過去の承認は履歴に残ります。`,
  openSessions: ({ identity, sessions }) =>
    `${identity} はダッシュボードにサインインしたままです (ブラウザーのセッション ${sessions} 件)。`,
  endSessionsLater: () =>
    'sekisho session list で確認し、sekisho session revoke <id> で終了できます。token revoke に --sessions を付けると、すべて同時に終了します。',
  sessionsEnded: ({ sessions }) => `ブラウザーのセッション ${sessions} 件も終了しました。`,
  shownOnce: () => 'ここで一度だけ表示され、どこにも保存されません。SEKISHO_TOKEN に設定して使ってください。',
  createToken: () => 'このトークンを作成しますか?',
  addPerson: () => 'この人を追加しますか?',
  confirmRemoval: () => 'この人を削除しますか?',
  revokeToken: () => 'このトークンを無効にしますか?',
  endSessions: () => 'これらもサインアウトしますか?',
};

export const sessionProblem: Japanese<typeof sessionProblemEnglish> = {
  LINK_SPENT: () =>
    'このリンクは使用済みか、1 分以上前のものです。sekisho open を実行して新しいリンクを開いてください。',
  SESSION_NOT_FOUND: ({ id }) =>
    `ダッシュボードのセッション「${id}」はありません。sekisho session list で確認してください。`,
};
