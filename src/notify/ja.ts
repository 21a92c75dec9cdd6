/** By their English. `words.ts` accepts no other. */
export const words = {
  'write ${env:NAME}: the file must not contain the secret':
    '${env:NAME} と書いてください。シークレットをファイルに書くことはできません',
  'an http or https URL, or ${env:NAME}': 'http か https の URL、または ${env:NAME} を指定してください',
  'the URL of slack and discord is itself the secret: write url: ${env:NAME}':
    'slack と discord の URL はそれ自体がシークレットです。url: ${env:NAME} と書いてください',
  'Matters other than approvals that need a person, newest first: blocked tasks, pending hand-offs, agents that failed within the last day, paused agents, unreachable upstreams.':
    '承認のほかに人の対応が必要なものを新しい順に返します。ブロックされたタスク、誰も受け取らない引き継ぎ、1 日以内に失敗したエージェント、エージェントの起動の停止、接続できない上流サーバーです。',
  'Maximum number of each kind, 50 by default': '種類ごとの最大件数 (既定は 50)',
  'Its id, or the name of an upstream': 'ID (上流サーバーの場合は名前)',
  'What needs attention': '何が起きているか',
  'Path in the dashboard': 'ダッシュボードのパス',
} as const;
