/** By their English. `words.ts` accepts no other. */
export const words = {
  'The journal of this project, newest first: who did what, with the hash-chain link of each entry.':
    'このプロジェクトの出来事を新しい順に返します。誰が何をしたかと、各項目のハッシュチェーンのリンクが分かります。',
  'Only entries about this run, task, agent …, by its id': 'この run、タスク、エージェントなどの ID に関するものだけ',
  'Only kinds that begin with this, e.g. "run."': 'この語で始まる種類だけ (例: "run.")',
  'Only actors whose name contains this': '行った人の名前にこの語を含むものだけ',
  'Only entries that contain this text': 'どこかにこの語を含む項目だけ',
  'Not before this time (ISO 8601)': 'この時刻以降 (ISO 8601)',
  'Not after this time (ISO 8601)': 'この時刻以前 (ISO 8601)',
  'Verify that no row of any table was changed, added or removed by hand, in this store and in the user’s database.':
    'このデータベースとユーザーのデータベースで、どの表の行も手作業で変更、追加、削除されていないことを検証します。',
  'A link that you saved elsewhere; it must still be in the journal':
    '別の場所に保管したリンク。ジャーナルに今もあるはずのもの',
} as const;
