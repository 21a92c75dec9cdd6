import type { Japanese } from '../../kernel/text/text.ts';
import type { englishProblem as problemEnglish, englishRefusal as refusalEnglish } from './problem.ts';

export const problem: Japanese<typeof problemEnglish> = {
  SIGN_IN_NEEDED: () => 'サインインしていないか、セッションが終了しました。sekisho open を実行してください。',
  UNKNOWN_OPERATION: ({ name }) => `操作「${name}」はありません。`,
  ROOT_NEEDED: () => 'URL でプロジェクトを指定してください: ?project=/path/to/it (list_roots で一覧できます)',
  ROOT_NOT_FOUND: ({ project }) => `${project} にプロジェクトはありません。`,
  BODY_INVALID: ({ reason }) => `リクエストを読み取れません: ${reason}`,
};

export const refusal: Japanese<typeof refusalEnglish> = {
  site: () => 'このリクエストを送れるのは、ダッシュボード自身のページだけです。',
  agent: () => 'この操作は人だけが行えます。このトークンはエージェントのものです。',
};
