import { defineProblems, defineRefusals } from '../../kernel/problem.ts';

/** What the dashboard's API says by itself; everything else is the operations'. */
export const problem = defineProblems({
  SIGN_IN_NEEDED: {
    en: () => 'You are not signed in, or not any more. Run: sekisho open',
    ja: () => 'サインインしていないか、セッションが終了しました。sekisho open を実行してください。',
  },
  UNKNOWN_OPERATION: {
    en: ({ name }: { name: string }) => `There is no operation "${name}".`,
    ja: ({ name }) => `操作「${name}」はありません。`,
  },
  ROOT_NEEDED: {
    en: () => 'The address must name a project: ?project=/path/to/it (list_roots has them)',
    ja: () => 'アドレスでプロジェクトを指定してください: ?project=/path/to/it (list_roots で一覧できます)',
  },
  ROOT_NOT_FOUND: {
    en: ({ project }: { project: string }) => `There is no project at ${project}.`,
    ja: ({ project }) => `${project} にプロジェクトはありません。`,
  },
  BODY_INVALID: {
    en: ({ reason }: { reason: string }) => `The request cannot be read: ${reason}`,
    ja: ({ reason }) => `リクエストを読み取れません: ${reason}`,
  },
});

export const refusal = defineRefusals({
  /** A browser says that another site asks. */
  site: {
    en: () => 'Only the dashboard’s own pages may ask this.',
    ja: () => 'これを要求できるのはダッシュボード自身のページだけです。',
  },
  agent: {
    en: () => 'This is for people: the token is an agent’s.',
    ja: () => 'これは人のためのものです。このトークンはエージェントのものです。',
  },
});
