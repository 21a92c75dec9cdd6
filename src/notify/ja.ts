/** By their English. `words.ts` accepts no other. */
export const words = {
  'write ${env:NAME}: a secret has no place in a file':
    '${env:NAME} と書いてください。秘密をファイルに書くことはできません',
  'an http or https address, or ${env:NAME}': 'http か https のアドレス、または ${env:NAME} を指定してください',
  'the address of slack and discord is the secret: url: ${env:NAME}':
    'slack と discord のアドレスは秘密です。url: ${env:NAME} と書いてください',
  'What needs a person beside approvals, newest first: blocked tasks, hand-offs that nobody took, agents that failed within a day, agents that are paused, upstreams that are away.':
    '承認のほかに人の対応が必要なものを新しい順に返します。ブロックされたタスク、誰も受け取らない引き継ぎ、1 日以内に失敗したエージェント、エージェントの起動の停止、つながらない upstream です。',
  'At most so many of each kind, 50 by default': '種類ごとの最大件数 (既定は 50)',
  'Its id; of an upstream its name': 'ID (upstream の場合は名前)',
  'What is the matter': '何が起きているか',
  'Where the dashboard shows it': 'ダッシュボードで表示される場所',
} as const;
