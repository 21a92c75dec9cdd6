import { definePhrases } from '../../kernel/text/text.ts';

/** What doctor looks at, what it finds, and what to do about it. */
export const doctorText = definePhrases({
  ok: { en: () => 'ok', ja: () => '正常' },
  bad: { en: () => 'bad', ja: () => '異常' },
  configuration: { en: () => 'configuration', ja: () => '設定' },
  project: { en: () => 'project', ja: () => 'プロジェクト' },
  state: { en: () => 'state', ja: () => '状態フォルダー' },
  token: { en: () => 'token', ja: () => 'トークン' },
  people: { en: () => 'people', ja: () => '人' },
  counts: {
    en: ({ key }: { key: string }) => `your decisions count here (user database ${key})`,
    ja: ({ key }) => `あなたの判断はここで有効です (ユーザーデータベース ${key})`,
  },
  countsNot: {
    en: ({ key }: { key: string }) => `your decisions do not count here yet (user database ${key})`,
    ja: ({ key }) => `あなたの判断はここではまだ有効ではありません (ユーザーデータベース ${key})`,
  },
  admit: {
    en: ({ key }: { key: string }) => `Somebody whose decisions count here runs: sekisho admin admit ${key}`,
    ja: ({ key }) => `すでに登録されている人が次のコマンドを実行します: sekisho admin admit ${key}`,
  },
  database: { en: () => 'database', ja: () => 'データベース' },
  currentRun: { en: () => 'current run', ja: () => '現在の run' },
  processes: { en: () => 'processes', ja: () => 'プロセス' },
  defaults: { en: () => 'defaults', ja: () => '既定値' },
  none: { en: () => 'none', ja: () => 'なし' },
  correct: {
    en: () => 'Correct it; docs/configuration.md has every key.',
    ja: () => '直してください。キーの一覧は docs/ja/configuration.md にあります。',
  },
  rows: {
    en: ({ location, rows }: { location: string; rows: number }) => `${location}, ${rows} journal rows`,
    ja: ({ location, rows }) => `${location} (ジャーナル ${rows} 行)`,
  },
  usable: { en: () => 'all usable', ja: () => 'すべて使えます' },
  lint: {
    en: () => 'sekisho gate lint tells what is wrong.',
    ja: () => 'sekisho gate lint で誤りを確認できます。',
  },
  worktree: {
    en: ({ root, tree }: { root: string; tree: string }) => `${root}, here in its worktree ${tree}`,
    ja: ({ root, tree }) => `${root} (ここは作業ツリー ${tree})`,
  },
  folderGone: {
    en: ({ place }: { place: string }) => `${place}; its .sekisho folder is gone, its state is not`,
    ja: ({ place }) => `${place}。.sekisho フォルダーがありません (状態は残っています)`,
  },
  restore: {
    en: ({ root }: { root: string }) => `git checkout -- .sekisho, or: sekisho init '${root}'`,
    ja: ({ root }) => `git checkout -- .sekisho または sekisho init '${root}'`,
  },
  unregistered: {
    en: ({ place }: { place: string }) => `${place}, not registered`,
    ja: ({ place }) => `${place} (登録されていません)`,
  },
  register: {
    en: () => 'Its folder can be left by going into another one. To register it: sekisho init',
    ja: () => '別のフォルダーに移ればゲートを離れられます。登録するには: sekisho init',
  },
  moved: {
    en: ({ from, root }: { from: string; root: string }) =>
      `${from} was registered and is gone. If it was moved here: sekisho init '${root}' --moved-from '${from}'. If not: sekisho init`,
    ja: ({ from, root }) =>
      `登録されていた ${from} がありません。ここへ移した場合: sekisho init '${root}' --moved-from '${from}'。そうでない場合: sekisho init`,
  },
  stateOpen: {
    en: ({ path }: { path: string }) => `Others can look into it: chmod 700 '${path}'`,
    ja: ({ path }) => `ほかの人も見られます: chmod 700 '${path}'`,
  },
  tokenOpen: {
    en: ({ path }: { path: string }) => `Others can read it: chmod 600 '${path}'`,
    ja: ({ path }) => `ほかの人も読めます: chmod 600 '${path}'`,
  },
});
