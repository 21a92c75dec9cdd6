import { definePhrases } from '../kernel/text/text.ts';

const listed = (items: readonly string[]) => items.join(', ');

/** What people and their clients read when a project is set up. A hook needs none of it. */
export const setupPhrase = definePhrases({
  /** What stands in the file that a client reads at every start. */
  instructions: {
    en: ({ process }: { process: string }) =>
      [
        '## Sekisho',
        '',
        'Work in this project follows a process that Sekisho checks (MCP server `sekisho`).',
        '',
        '- Before anything else call `state_gate.get_state`. It says which state you are in, which tools are permitted there and what is missing.',
        '- Move on with `state_gate.emit_event`, which takes your evidence; the gate decides.',
        `- If no run is open and you are given a piece of work ("Start a Sekisho run: …"), call \`state_gate.create_run\` with \`process_id: "${process}"\`; \`state_gate.list_processes\` shows the others.`,
        '- A tool that is refused says why. Do not look for a way round it: do what the state asks for.',
      ].join('\n'),
    ja: ({ process }) =>
      [
        '## Sekisho',
        '',
        'このプロジェクトの作業は、Sekisho が確認するプロセスに従います (MCP サーバー `sekisho`)。',
        '',
        '- 最初に `state_gate.get_state` を呼んでください。現在の状態、許可されているツール、不足しているものがわかります。',
        '- 先へ進むには `state_gate.emit_event` で証拠を提出します。判定はゲートが行います。',
        `- 進行中の run がなく作業を頼まれたら (「Sekisho の run を始めて: …」)、\`process_id: "${process}"\` で \`state_gate.create_run\` を呼んでください。ほかのプロセスは \`state_gate.list_processes\` でわかります。`,
        '- ツールが拒否されたら理由が示されます。迂回せず、その状態が求めることをしてください。',
      ].join('\n'),
  },
  prepared: {
    en: ({ home, anew }: { home: string; anew: boolean }) => `${anew ? 'Prepared' : 'Already prepared'}: ${home}`,
    ja: ({ home, anew }) => `${anew ? '準備しました' : '準備済みです'}: ${home}`,
  },
  registered: {
    en: ({ root, anew }: { root: string; anew: boolean }) => `${anew ? 'Registered' : 'Already registered'}: ${root}`,
    ja: ({ root, anew }) => `${anew ? '登録しました' : '登録済みです'}: ${root}`,
  },
  databaseLost: {
    en: ({ db }: { db: string }) => `The database ${db} was gone. The next command begins with an empty one.`,
    ja: ({ db }) => `データベース ${db} がなくなっていました。次のコマンドから空のデータベースで始まります。`,
  },
  unadmitted: {
    en: ({ key }: { key: string }) =>
      `Your agents can work here now. Your own decisions (approvals and the like) count once somebody who already decides in this store has run: sekisho admin admit ${key}`,
    ja: ({ key }) =>
      `エージェントの作業はすぐに始められます。承認などあなた自身の判断が有効になるのは、このデータベースにすでに登録されている人が次のコマンドを実行した後です: sekisho admin admit ${key}`,
  },
  toolsets: {
    en: ({ toolsets }: { toolsets: readonly string[] }) => `Toolsets: ${listed(toolsets)}`,
    ja: ({ toolsets }) => `ツールセット: ${listed(toolsets)}`,
  },
  process: {
    en: ({ process }: { process: string }) => `Process: ${process}`,
    ja: ({ process }) => `プロセス: ${process}`,
  },
  /** What stands above the files that `init` is about to write. */
  plan: { en: () => 'Files that init writes:', ja: () => 'init が書き込むファイル:' },
  /** Before the path of a file. */
  created: { en: () => 'new    ', ja: () => '新規' },
  changed: { en: () => 'changed', ja: () => '変更' },
  deleted: { en: () => 'deleted', ja: () => '削除' },
  ownData: {
    en: ({ folder }: { folder: string }) => `Sekisho's own data (database, copy of the program): ${folder}`,
    ja: ({ folder }) => `Sekisho 自身のデータ (データベース、プログラムのコピー): ${folder}`,
  },
  beforeWriting: {
    en: () => 'See every line: sekisho init --dry-run. Undo it later: sekisho uninstall',
    ja: () => '変更される行の一覧: sekisho init --dry-run。後で元に戻すには: sekisho uninstall',
  },
  client: {
    en: ({ isNew }: { isNew: boolean }) => (isNew ? 'Prepared. Restart it if it is running.' : 'Already prepared.'),
    ja: ({ isNew }) => (isNew ? '準備しました。起動中の場合は再起動してください。' : '準備済みです。'),
  },
  restored: { en: () => 'restored', ja: () => '元に戻しました        ' },
  removed: { en: () => 'removed ', ja: () => '削除しました          ' },
  /** Somebody changed it since. */
  taken: { en: () => 'our part removed', ja: () => 'Sekisho の分だけ削除' },
  uninstalled: {
    en: ({ db }: { db: string }) =>
      `What init had set up here is gone. The store stays: ${db}\nTo come back: sekisho init`,
    ja: ({ db }) =>
      `init が設定したものを取り除きました。データベースは残しています: ${db}\nもう一度使うには: sekisho init`,
  },
  nothingThere: {
    en: () => 'Nothing here was set up by init.',
    ja: () => 'ここには init が設定したものはありません。',
  },
  testSet: {
    en: ({ command, trusted }: { command: string; trusted: boolean }) =>
      `Test command: ${command}, written to .sekisho/config.yaml${trusted ? '' : '. It counts as soon as a person has seen that file: sekisho trust'}`,
    ja: ({ command, trusted }) =>
      `テストコマンド: ${command} (.sekisho/config.yaml に書き込みました)${trusted ? '' : '。人がこのファイルを確認すると有効になります: sekisho trust'}`,
  },
  testKept: {
    en: ({ command }: { command: string }) => `Test command: ${command}, as .sekisho/config.yaml has it`,
    ja: ({ command }) => `テストコマンド: ${command} (.sekisho/config.yaml の設定)`,
  },
  testUnset: {
    en: ({ found, command }: { found: readonly string[]; command: string }) =>
      `Test command: none is set. Found: ${listed(found)}. To use it: sekisho init --test-command "${command}"`,
    ja: ({ found, command }) =>
      `テストコマンド: 未設定です。見つかったもの: ${listed(found)}。使うには: sekisho init --test-command "${command}"`,
  },
  testNone: {
    en: () =>
      'Test command: none was found (npm, pnpm, yarn, pytest, cargo, go, make). Processes that run the tests stop there until you set it: sekisho init --test-command "…"',
    ja: () =>
      'テストコマンド: 見つかりませんでした (npm, pnpm, yarn, pytest, cargo, go, make)。設定するまで、テストを実行するプロセスはそこで止まります: sekisho init --test-command "…"',
  },
  hooksTrusted: {
    en: ({ client }: { client: string }) => `You have trusted these hooks in ${client}: it runs them.`,
    ja: ({ client }) => `これらのフックは ${client} で信頼済みです。実行されます。`,
  },
});
