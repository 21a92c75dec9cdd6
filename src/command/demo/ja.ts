import type { Japanese } from '../../kernel/text/text.ts';
import type { english as demoPhraseEnglish } from './demo-text.ts';

export const demoPhrase: Japanese<typeof demoPhraseEnglish> = {
  welcome: ({ folder }) =>
    `所要時間は 2 分です。API キーもモデルも使いません。一時プロジェクト (${folder}) で、決められた動きをするデモ用エージェントが、足し算を間違える関数を直します。ゲートもフックもテストも本物です。終わるとすべて削除します。`,
  path: () => 'プロセス: look (調べる) → fix (直す) → review (確認) → done (完了)',
  goOn: ({ at, of }) => `${at}/${of} Enter で進みます`,
  deniedTitle: () => 'いきなり編集しようとする',
  denied: () =>
    'エージェントはまだ何も調べていません。クライアントはツールを使う前に、フックで Sekisho に問い合わせます。状態 look では、ソースは編集できません。',
  claimTitle: () => '「調べました」と言う',
  claim: () => '言うだけでは進めません。先へ進むには findings.md が必要ですが、まだありません。',
  evidenceTitle: () => '証拠を提出する',
  evidence: () => 'findings.md を書いて提出します。ゲートは内容をダイジェストとともに保存し、run は先へ進みます。',
  failTitle: () => '直したが、間違っている',
  fail: () =>
    '今度はフックが編集を通します。エージェントは a * b と書き、成功したと報告します。ゲートはそれを信じず、プロジェクトのテストを自分で実行します。',
  fixTitle: () => '正しく直す',
  fix: () => 'a + b と書き直して、もう一度報告します。テストは通ります。',
  selfTitle: () => '自分で承認しようとする',
  self: () => 'ここで承認できるのは人だけです。エージェントがどう名乗っても、拒否されます。',
  youTitle: () => 'あなたが決める',
  you: () =>
    'sekisho approve が表示するのは、提出されたままの証拠です。あなたの承認は、まさにその内容に対してだけ有効です。',
  question: () => '承認しますか?',
  byItself: () => '(尋ねる相手がいないため、デモが承認します)',
  proofTitle: () => '記録が証拠になる',
  proof: () => 'すべての手順は、鎖のようにつながった記録に残っています。手で書き換えた行は見つかります。',
  refused: ({ why }) => `拒否: ${why}`,
  allowed: () => 'フックは止めません',
  moved: ({ from, to }) => `前進: ${from} → ${to}`,
  stays: () => '承認しませんでした。run は review のままです。エージェントには何もできません。',
  sound: ({ entries }) => `記録 ${entries} 件、改変はありません`,
  end: () => 'これで終わりです。一時プロジェクトは削除しました。ご自分のプロジェクトで始めるには: sekisho init',
};
