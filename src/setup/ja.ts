import type { Japanese } from '../kernel/text/text.ts';
import { listEnglish, listFirstPaths } from '../kernel/text/list.ts';
import type { english as ringPhraseEnglish } from './rings-text.ts';
import type { englishSetupQuestion, englishToolsetHint } from './setup-question.ts';
import type { english as setupPhraseEnglish } from './setup-text.ts';

export const ringPhrase: Japanese<typeof ringPhraseEnglish> = {
  unregistered: ({ root }) => `${root} は登録されていません。別のフォルダーに移ればゲートを離れられます`,
  project: ({ root, tree, gone }) =>
    `${root}${tree === undefined ? '' : ` (現在の worktree: ${tree})`}${gone ? '。.sekisho フォルダーがありません (状態は失われていません)' : ''}`,
  noProgram: ({ shim }) => `${shim} またはそれが起動するプログラムがありません。フックとサーバーは動きません`,
  olderProgram: ({ inUse, own }) => `フックとサーバーは ${inUse} を使っています (このコマンドは ${own})`,
  program: ({ shim, version, files }) => `${shim} は ${version} を起動します (${files} ファイル、init が記録したまま)`,
  otherProgram: ({ paths }) =>
    `init が記録した内容と違うため、何が実行されるか分かりません (全ファイルは sekisho journal verify で確認できます): ${listFirstPaths(paths)}`,
  unrecorded: ({ inUse }) => `フックとサーバーが使う ${inUse} は init の記録がないため、変更を検出できません`,
  notPinned: ({ folder, clone }) =>
    `このコマンドは${clone ? 'クローン' : ''} ${folder} から実行されており、固定 (pin) の対象外です`,
  files: ({ count }) =>
    count === 0
      ? 'このプロジェクトには信頼の必要なファイルがありません'
      : `プロジェクトのファイル ${count} 件は、すべて人が確認したままです`,
  unseen: ({ changed, unseen }) =>
    [
      ...(changed.length > 0
        ? [`人が確認した後に変更されたため、確認済みの内容が使われます: ${changed.join(', ')}`]
        : []),
      ...(unseen.length > 0 ? [`まだ人が確認していないため、プログラムを起動しません: ${unseen.join(', ')}`] : []),
    ].join('。'),
  forged: ({ files }) =>
    `フックが読む写しが、人の信頼した内容と違います (sekisho journal verify で確認できます): ${files.join(', ')}`,
  uncompiled: () => 'フックが信頼された設定を読み取れないため、すべてのツールを拒否します',
  otherUser: ({ path }) =>
    `人、トークン、信頼の記録がある ${path} が削除されたか、置き換えられたか、切り詰められました。何が信頼されていたかを確認できません`,
  noHook: ({ client, worktree }) =>
    `${worktree ? 'この worktree では、' : ''}${client} がツールを使う前に問い合わせる設定がありません。ツールは止められません`,
  hooksOff: ({ file }) => `${file} がすべてのフックを無効にしています。ツールは止められません`,
  hookFails: ({ command, code, reason }) =>
    `フックのコマンドが動きません (${code === null ? '終了コードなし' : `終了コード ${code}`}${reason === '' ? '' : `: ${reason}`}): ${command}`,
  hookElsewhere: ({ root, db, projectKey }) =>
    `フックが別のプロジェクトまたはデータベースを見ています: ${root}, ${db}, プロジェクトキー ${projectKey ?? '?'}`,
  hookSkipped: ({ client, trust }) =>
    ({
      untrusted: `${client} でまだ信頼されていないため、フックは無視され、ツールは止められません。ここで ${client} を起動し、フックを信頼してください (/hooks)`,
      changed: `${client} で信頼された後に変更されたため、フックは無視され、ツールは止められません。ここで ${client} を起動し、もう一度信頼してください (/hooks)`,
      disabled: `${client} でフックが無効になっているため、ツールは止められません。ここで ${client} を起動し、有効にしてください (/hooks)`,
      folder: `${client} がこのフォルダーを信頼していないため、プロジェクトのフックは無視され、ツールは止められません`,
    })[trust],
  hook: ({ command, trusted }) => `${command} で問い合わせます${trusted ? ' (クライアントの設定で信頼済み)' : ''}`,
  noServer: ({ client }) => `${client} が Sekisho のサーバーを起動または接続する設定がありません`,
  server: ({ program }) => `${program} は応答します`,
  serverFails: ({ line, reason }) => `応答しません (${reason}): ${line}`,
  httpNoUrl: ({ url }) => `設定にあるアドレスが URL ではありません: ${url}`,
  httpRemote: ({ url }) => `${url} に接続します。このマシンからは確認できません`,
  httpNoDaemon: ({ url }) => `${url} に接続しますが、デーモンが動いていません`,
  httpElsewhere: ({ url, daemon }) => `${url} に接続しますが、デーモンのアドレスは ${daemon} です`,
  httpNoEndpoint: ({ url }) => `${url} に接続しますが、デーモンの MCP のパスは /mcp です`,
  httpNoProject: ({ url }) => `${url} に接続しますが、登録済みのどのプロジェクトかを指定していません`,
  httpOtherProject: ({ named, root }) => `${root} ではなく、プロジェクト ${named} に接続します`,
  httpNoToken: ({ url }) => `トークンなしで ${url} に接続するため、デーモンが拒否します`,
  asks: ({ client }) => `${client} はフックを実行しています`,
  trusted: () => 'フォルダーは信頼されています',
  receipts: ({ count, state }) =>
    count === 0 ? `状態「${state}」ではまだ問い合わせていません` : `状態「${state}」での問い合わせ: ${count} 回`,
  editedUnasked: ({ state, paths }) =>
    `状態「${state}」では編集を禁止しているファイルが変更されましたが、フックの問い合わせがありません: ${listFirstPaths(paths)}。クライアントによる変更なら、ツールは止められていません。あなたの変更なら sekisho admin accept-changes を実行してください`,
  submittedUnasked: ({ state }) =>
    `エージェントが状態「${state}」でイベントを送りましたが、フックの問い合わせがありませんでした。ツールは止められていません`,
  sandbox: ({ kind }) => `${kind} を使えます。sekisho run で起動したセッションに適用されます`,
  noClient: () => 'クライアントが設定されていないため、エージェント自身のツールは止められません',
};

export const setupQuestion: Japanese<typeof englishSetupQuestion> = {
  folder: () => 'どのフォルダーをプロジェクトにしますか?',
  clients: ({ others }) =>
    `ここで使うクライアントは? (スペース: 選択、Enter: 次へ)${others.length === 0 ? '' : `\nこのマシンにないもの: ${others.join(', ')}`}`,
  noClients: ({ others }) =>
    `このマシンにクライアントが見つかりません。対応しているのは ${others.join(', ')} です。インストール後に: sekisho init --client 名前`,
  prepared: () => '準備済み',
  write: () => 'これらのファイルに書き込みますか?',
  toolsets: () => 'エージェントにどのツールを見せますか? (スペース: 選択、Enter: 次へ)',
  process: () => '特に指定がないとき、作業はどのプロセスに従いますか?',
  test: () => 'テストは何で実行しますか? (シェルなしで実行、空欄: まだ決めない)',
  noShell: () => 'シェルを介さず実行します。パイプ、&&、変数はスクリプトに書き、その名前を指定してください。',
  canceled: () => '何も変更していません。',
};

export const toolsetHint: Japanese<typeof englishToolsetHint> = {
  gate: () => 'プロセスの run、証拠、承認',
  upstream: () => 'ほかの MCP サーバー (上流サーバー)',
  fleet: () => 'ほかのエージェントを起動して待つ',
  work: () => 'エージェントが引き受けるタスク',
  phase: () => 'フェーズとプロンプトによる計画',
};

export const setupPhrase: Japanese<typeof setupPhraseEnglish> = {
  instructions: ({ process }) =>
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
  prepared: ({ home, isNew }) => `${isNew ? '準備しました' : '準備済みです'}: ${home}`,
  registered: ({ root, isNew }) => `${isNew ? '登録しました' : '登録済みです'}: ${root}`,
  databaseLost: ({ db }) => `データベース ${db} がなくなっていました。次のコマンドから空のデータベースで始まります。`,
  unadmitted: ({ key }) =>
    `エージェントの作業はすぐに始められます。承認などあなた自身の判断が有効になるのは、このデータベースにすでに登録されている人が次のコマンドを実行した後です: sekisho admin admit ${key}`,
  toolsets: ({ toolsets }) => `ツールセット: ${listEnglish(toolsets)}`,
  process: ({ process }) => `プロセス: ${process}`,
  plan: () => 'init が書き込むファイル:',
  created: () => '新規',
  changed: () => '変更',
  deleted: () => '削除',
  ownData: ({ folder }) => `Sekisho 自身のデータ (データベース、プログラムのコピー): ${folder}`,
  beforeWriting: () => '変更される行の一覧: sekisho init --dry-run。後で元に戻すには: sekisho uninstall',
  client: ({ isNew }) => (isNew ? '準備しました。起動中の場合は再起動してください。' : '準備済みです。'),
  restored: () => '元に戻しました        ',
  removed: () => '削除しました          ',
  taken: () => 'Sekisho の分だけ削除',
  uninstalled: ({ db }) =>
    `init が設定したものを取り除きました。データベースは残しています: ${db}\nもう一度使うには: sekisho init`,
  nothingThere: () => 'ここには init が設定したものはありません。',
  testSet: ({ command, trusted }) =>
    `テストコマンド: ${command} (.sekisho/config.yaml に書き込みました)${trusted ? '' : '。人がこのファイルを信頼すると有効になります: sekisho trust'}`,
  testKept: ({ command }) => `テストコマンド: ${command} (.sekisho/config.yaml の設定)`,
  testUnset: ({ found, command }) =>
    `テストコマンド: 未設定です。見つかったもの: ${listEnglish(found)}。使うには: sekisho init --test-command "${command}"`,
  testNone: () =>
    'テストコマンド: 見つかりませんでした (npm, pnpm, yarn, pytest, cargo, go, make)。設定するまで、テストを実行するプロセスはそこで止まります: sekisho init --test-command "…"',
  hooksTrusted: ({ client }) => `これらのフックは ${client} で信頼済みです。実行されます。`,
};
