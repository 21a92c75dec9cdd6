import type { SomeTexts } from '../../texts.ts';

export const kernel = {
  problems: {
    INTERNAL_ERROR: ({ reference }) =>
      `リクエストではなく Sekisho 側の不具合です。ログの ${reference} を添えて報告してください。`,
    VALIDATION_ERROR: ({ errors }) =>
      `入力が正しくありません。${errors.map((one) => `${one.path}: ${one.message}`).join('; ')}`,
    UNKNOWN_COMMAND: ({ command, suggestion }) =>
      `コマンド「${command}」はありません。${suggestion === undefined ? '' : `「${suggestion}」ではありませんか。`}sekisho --help をご覧ください。`,
    BAD_CONFIGURATION: ({ file, reason }) => `設定 ${file} を使用できません: ${reason}`,
    PORT_TAKEN: ({ host, port }) =>
      `${host}:${port} は既に使われています。停止するか、別のポートを指定してください: sekisho up --port ${port + 1}`,
    STORE_UNAVAILABLE: ({ location, reason }) => `データベース ${location} を使用できません: ${reason}`,
  },
  refusals: {
    claim: (why) =>
      `この接続は「${why.role}」として操作できません。エージェントから起動されています (${why.evidence})。人が端末またはダッシュボードで行ってください。`,
    token: () => 'このサーバーの起動時のトークン (SEKISHO_TOKEN) は無効か、期限切れです。',
    toolset: (why) => `${why.toolset} のツールは人の接続でのみ使えます。この接続のロールは「${why.role}」です。`,
  },
  phrases: {
    'input.invalid': ({ issues }) => `入力が正しくありません: ${issues}`,
  },
} satisfies SomeTexts;
