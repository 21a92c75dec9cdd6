import { definePhrases } from '../../kernel/text/text.ts';

export const demoPhrase = definePhrases({
  welcome: {
    en: ({ folder }: { folder: string }) =>
      `Two minutes, no key, no model. In a scratch project (${folder}) a scripted agent is to mend a function that adds wrongly. The gate, the hook and the tests are the real ones. Everything is removed at the end.`,
    ja: ({ folder }) =>
      `所要時間は 2 分です。API キーもモデルも使いません。一時プロジェクト (${folder}) で、台本どおりに動くエージェントが、足し算を間違える関数を直します。ゲートもフックもテストも本物です。終わるとすべて削除します。`,
  },
  path: {
    en: () => 'The process: look → mend → review → done',
    ja: () => 'プロセス: look (調べる) → mend (直す) → review (確認) → done (完了)',
  },
  goOn: {
    en: ({ at, of }: { at: number; of: number }) => `${at}/${of}, Enter goes on`,
    ja: ({ at, of }) => `${at}/${of} Enter で進みます`,
  },
  deniedTitle: { en: () => 'It wants to edit at once', ja: () => 'いきなり編集しようとする' },
  denied: {
    en: () =>
      'The agent has not looked yet. Its client asks Sekisho before each tool, by a hook. In the state "look" the sources are closed.',
    ja: () =>
      'エージェントはまだ何も調べていません。クライアントはツールを使う前に、フックで Sekisho に問い合わせます。状態 look では、ソースは編集できません。',
  },
  claimTitle: { en: () => 'It says that it has looked', ja: () => '「調べました」と言う' },
  claim: {
    en: () => 'Saying so is not enough: the way on asks for findings.md, and there is none.',
    ja: () => '言うだけでは進めません。先へ進むには findings.md が必要ですが、まだありません。',
  },
  evidenceTitle: { en: () => 'It hands in evidence', ja: () => '証拠を提出する' },
  evidence: {
    en: () => 'It writes findings.md and submits it. The gate keeps its content by digest, and the run moves on.',
    ja: () => 'findings.md を書いて提出します。ゲートは内容をダイジェストとともに保存し、run は先へ進みます。',
  },
  failTitle: { en: () => 'It mends, wrongly', ja: () => '直したが、間違っている' },
  fail: {
    en: () =>
      'Now the hook lets it edit. It writes a * b and reports success. The gate does not believe it: it runs the tests of the project itself.',
    ja: () =>
      '今度はフックが編集を通します。エージェントは a * b と書き、成功したと報告します。ゲートはそれを信じず、プロジェクトのテストを自分で実行します。',
  },
  fixTitle: { en: () => 'It mends, rightly', ja: () => '正しく直す' },
  fix: {
    en: () => 'It writes a + b and reports again. The tests pass.',
    ja: () => 'a + b と書き直して、もう一度報告します。テストは通ります。',
  },
  selfTitle: { en: () => 'It approves itself', ja: () => '自分で承認しようとする' },
  self: {
    en: () => 'Only a person may say yes here. An agent is refused, whatever it calls itself.',
    ja: () => 'ここで承認できるのは人だけです。エージェントがどう名乗っても、拒否されます。',
  },
  youTitle: { en: () => 'You decide', ja: () => 'あなたが決める' },
  you: {
    en: () => 'This is what sekisho approve shows: the evidence, as it was handed in. Your yes holds for exactly that.',
    ja: () =>
      'sekisho approve が表示するのは、提出されたままの証拠です。あなたの承認は、まさにその内容に対してだけ有効です。',
  },
  question: { en: () => 'approve?', ja: () => '承認しますか?' },
  byItself: { en: () => '(nobody to ask: the demo says yes)', ja: () => '(尋ねる相手がいないため、デモが承認します)' },
  proofTitle: { en: () => 'What is left is proof', ja: () => '記録が証拠になる' },
  proof: {
    en: () => 'Every step is in a journal whose rows are chained. A row that somebody changes by hand is found.',
    ja: () => 'すべての手順は、鎖のようにつながった記録に残っています。手で書き換えた行は見つかります。',
  },
  refused: { en: ({ why }: { why: string }) => `refused: ${why}`, ja: ({ why }) => `拒否: ${why}` },
  allowed: { en: () => 'the hook has no objection', ja: () => 'フックは止めません' },
  moved: {
    en: ({ from, to }: { from: string; to: string }) => `moved on: ${from} → ${to}`,
    ja: ({ from, to }) => `前進: ${from} → ${to}`,
  },
  stays: {
    en: () => 'You said no: the run stays at review, and the agent can do nothing about it.',
    ja: () => '承認しませんでした。run は review のままです。エージェントには何もできません。',
  },
  sound: {
    en: ({ entries }: { entries: number }) => `${entries} entries, none was changed`,
    ja: ({ entries }) => `記録 ${entries} 件、改変はありません`,
  },
  end: {
    en: () => 'That was all of it, and it is gone again. In your own project: sekisho init',
    ja: () => 'これで終わりです。一時プロジェクトは削除しました。ご自分のプロジェクトで始めるには: sekisho init',
  },
});
