import type { Japanese } from '../kernel/text/text.ts';
import type { english as adminAdmitEnglish } from './admin-admit.ts';
import type { english as backupEnglish } from './backup.ts';
import type { english as gateLintEnglish } from './gate-lint.ts';
import type { english as journalVerifyEnglish } from './journal-verify.ts';
import type { english as restoreEnglish } from './restore.ts';
import type { english as askedEnglish } from './uninstall.ts';
import type { english as deedEnglish } from './frame/as-person.ts';
import type { english as systemFaultEnglish } from './frame/system-fault.ts';
import type { english as wrongFlagEnglish } from './frame/wrong-flag.ts';

export const adminAdmit: Japanese<typeof adminAdmitEnglish> = {
  admitting: ({ key }) =>
    `ユーザーデータベース ${key} の人が、あなたと同じようにここで判断できるようになります (承認、差し戻し、ほかの人の登録など)。持ち主から直接聞いたキーだけを登録してください。`,
  admit: () => '登録しますか?',
  removing: ({ key }) =>
    `ユーザーデータベース ${key} の人は、ここで判断できなくなります。これまでの判断は履歴に残ります。`,
  remove: () => '登録を取り消しますか?',
  noKey: () => 'キーは 0-9 と a-f の 20 文字です。拒否されたコマンドのメッセージに表示されます',
  already: () => 'すでに登録されています',
  unknown: () => '登録されていません',
  ownKey: () => 'あなた自身のものです。登録されているほかの人なら取り消せます',
};

export const backup: Japanese<typeof backupEnglish> = {
  faults: ({ n }) =>
    `ファイルは完全ですが、データベースがジャーナルと一致しない箇所が ${n} 件あります。バックアップの前からです: sekisho journal verify`,
  inProject: () => 'ファイルはプロジェクトの中にあり、エージェントが読めます。バックアップは別の場所に置いてください。',
};

export const gateLint: Japanese<typeof gateLintEnglish> = {
  error: () => 'エラー',
  warning: () => '警告',
  total: ({ files, errors, warnings }) => `ファイル ${files} 件、エラー ${errors} 件、警告 ${warnings} 件`,
};

export const journalVerify: Japanese<typeof journalVerifyEnglish> = {
  changed: () => '書き込まれたときと違うところがあります:',
  fault: ({ name, damage, detail }) => `${name} が${damage.ja}されています (${detail.ja})。`,
  more: ({ n }) => `… ほか ${n} 件。`,
  another: () => '別の履歴です:',
  noLink: ({ link }) => `ジャーナルにリンク ${link} の行がありません。`,
  whole: () => 'すべて書き込まれたときのままです:',
  counted: ({ entries, rows }) => `ジャーナル ${entries} 行、表 ${rows} 行。`,
  head: ({ head }) => `先頭のリンク: ${head}`,
  keepIt: () => '別の場所に保管すると、切り捨てや書き直しがないことを後で確かめられます (--head)。',
};

export const restore: Japanese<typeof restoreEnglish> = {
  question: () => 'すべてをこのバックアップで置き換えますか?',
  before: () =>
    '先に、今のデータベースのバックアップを保存します。セッションと確保は終了し、sekisho resume を実行するまでエージェントは起動しません。',
  otherHistory: () => '今のデータベースは、このバックアップの続きではありません。今の履歴はすべて置き換えられます。',
  otherKey: ({ key, keys }) =>
    `バックアップに、このプロジェクト (${key}) のものはありません。含まれるのは次のプロジェクトです: ${keys.join(', ')}。ここで使うには、設定の projectKey を合わせてください。`,
  faults: ({ n }) =>
    `バックアップの ${n} 行がジャーナルと一致しません。データベースまたはこのファイルが手作業で変更されています。`,
  done: ({ seq }) => `復元しました。ジャーナルは ${seq} 番から続きます。`,
  undo: ({ file }) => `元に戻すには: sekisho restore ${file}`,
  paused: () =>
    '内容を確認するまで、エージェントは起動しません。sekisho status で確認してから、sekisho resume を実行してください。',
};

export const asked: Japanese<typeof askedEnglish> = {
  intro: ({ tree }) => `${tree} に init が設定したものを取り除きます。取り除くと、ここではゲートが働かなくなります。`,
  removed: () => '削除: ',
  restored: () => '元に戻す: ',
  taken: () => 'Sekisho の分を削除: ',
  root: ({ root }) => `${root} の登録も解除されます (ほかのチェックアウトを準備済みの場合は残ります)。`,
  more: () => '変更される行の一覧: sekisho uninstall --dry-run',
  question: () => '取り除きますか?',
};

export const deed: Japanese<typeof deedEnglish> = {
  takeAway: () => 'init が設定したものの削除',
  prepareAgain: () => '登録済みのフォルダーをもう一度準備すること',
  replaceProgram: () =>
    'フックが使うプログラムの変更と、変更されたプログラムの記録 (対象は sekisho status で確認できます)',
  seeSessions: () => 'サインインしているブラウザーの確認',
  signOut: () => 'ブラウザーのサインアウト',
  openDashboard: () => 'ダッシュボードを開くこと',
  makeTokens: () => '人のトークンの作成',
  seeTokens: () => '人のトークンの確認',
  revokeTokens: () => '人のトークンの失効',
  backUp: () => 'データベースのバックアップ',
  restore: () => 'バックアップからの復元',
  addPeople: () => '人の追加',
  admitPeople: () => 'どのユーザーデータベースの人を認めるかの決定',
  removePeople: () => '人の削除',
  editPrompts: () => 'プロンプトの編集',
  changeRun: ({ run }) => `${run} が進行中のときの現在の run の変更`,
};

export const systemFault: Japanese<typeof systemFaultEnglish> = {
  ENOENT: ({ what }) => `${what} がありません。`,
  EACCES: ({ what }) => `${what} を使う権限がありません。`,
  EISDIR: ({ what }) => `${what} はフォルダーです。ファイルを指定してください。`,
  ENOSPC: ({ what }) => `ディスクがいっぱいです: ${what}。空き容量を作ってからやり直してください。`,
  other: ({ what, message }) => `${what} を使用できません: ${message}`,
};

export const wrongFlag: Japanese<typeof wrongFlagEnglish> = {
  unknown: ({ name }) => `フラグ ${name} はありません。--help をご覧ください。`,
  noValue: ({ name }) => `${name} には値が必要です。--help をご覧ください。`,
  noneTaken: ({ name }) => `${name} に値は指定できません。--help をご覧ください。`,
  ambiguous: ({ name }) => `${name} の次の語はフラグのように見えます。値であれば ${name}=… と書いてください。`,
  word: ({ name }) => `「${name}」は余分です。フラグだけを指定できます。--help をご覧ください。`,
};

/** Japanese by the English text. `words.ts` accepts no other English. */
export const words = {
  'Every day': '毎日使うもの',
  'Set up': '準備',
  'Processes, runs and evidence': 'プロセス、run、証拠',
  'Agents and tasks': 'エージェントとタスク',
  'Prompts of phases': 'フェーズのプロンプト',
  'People and access': '人とアクセス',
  'The store': 'ストア',
  'Called by agent CLIs': 'エージェント CLI が呼び出すもの',
  'asks why': '理由を尋ねます',
  'letters, digits, dot, dash and underscore, at most 64':
    '使えるのは文字、数字、ドット、ハイフン、アンダースコアだけで、64 文字以内です',
  'lists the keys': 'キーの一覧を表示します',
  'their decisions no longer count': '以後、その人たちの判断は有効になりません',
  'replaces the file of that name': '同じ名前のファイルを置き換えます',
  'roles: there are none': 'roles: 1 つもありません',
  'installs it': 'フックを設定します',
  'asks, at a terminal': '端末で質問しながら進めます',
  'asks nothing; takes the clients and the test command that it finds':
    '質問しません。見つけたクライアントとテストコマンドを使います',
  'shows what would change, and changes nothing': '変更内容を表示するだけです',
  'into files for version control': 'バージョン管理するファイルに書き込みます',
  'the gate runs it to see whether the tests pass': 'テストに通ったかを確かめるために、ゲートが実行するコマンドです',
  'only kinds with this prefix': 'この語で始まる種類だけ',
  'a saved link': '別の場所に保管したリンク',
  changed: '変更',
  added: '追加',
  removed: '削除',
  'shows what would change, then asks': '変わる内容を表示してから確認します',
  'into another database': '別のデータベースに復元します',
  'without a terminal': '端末のない場所で',
  'from cron': 'cron から実行する場合',
  'ends when nothing is left to start': '起動するものがなくなったら終わります',
  'ends the instances that were started here': 'ここで起動したインスタンスを終了します',
  'Prepare this folder: .sekisho/ with a configuration and a place for processes':
    'このフォルダーで使えるように準備します (.sekisho/ に設定とプロセスの置き場所を作ります)',
  'See in two minutes what a gate does: a scripted agent in a scratch project; leaves nothing behind':
    'ゲートの働きを 2 分で体験します。決められた動きをするデモ用エージェントを使い、後には何も残しません',
  'Uninstall from this project: undo what init set up; the store stays':
    'init が設定したものを取り除きます。データベースは残ります',
  'Start the daemon: MCP over HTTP on loopback, and the dashboard':
    'デーモンを起動します (ループバックでの HTTP の MCP と、ダッシュボード)',
  'Stop the daemon that runs in the background': 'バックグラウンドのデーモンを停止します',
  'Open the dashboard in a browser, signed in; starts the daemon if needed':
    'ダッシュボードをサインイン済みの状態でブラウザーに表示します。デーモンがなければ起動します',
  'List the browsers that are signed in to the dashboard': 'ダッシュボードにサインインしているブラウザーを一覧します',
  'Sign a browser out of the dashboard, or all of them':
    'ブラウザーをダッシュボードからサインアウトさせます (1 つまたはすべて)',
  'Serve one MCP client over stdio': 'stdio で 1 つの MCP クライアントに応答します',
  'Start an agent CLI in a sandbox, cut off from the files that control it':
    'エージェント CLI をサンドボックスで起動します。Sekisho の設定や記録には触れられません',
  'Answer one hook of an agent CLI: its JSON on stdin, the decision on stdout':
    'エージェント CLI のフックに 1 回応答します (標準入力に JSON、標準出力に判定)',
  'Show where the project stands: rings, run, approvals, agents, tasks, next command':
    'プロジェクトの現状を表示します (リング、run、対応待ち、エージェント、タスク、次のコマンド)',
  'Check this installation and project, and say how to fix problems':
    'インストールとプロジェクトを点検し、問題の直し方を示します',
  'Review changes of the configuration and the processes, and trust them': '設定とプロセスの変更を確認し、信頼します',
  'Review the evidence of a run and approve it; without a run, list those that wait for you':
    'run の証拠を確認して承認します。run を省略すると、承認待ちの一覧を表示します',
  'Review the evidence of a run and reject it; without a run, list those that wait for you':
    'run の証拠を確認して差し戻します。run を省略すると、承認待ちの一覧を表示します',
  'End a run that is no longer needed, with a reason; it never counts as done':
    '不要になった run を、理由を付けて中止します。完了とは扱われません',
  'Start a run of a process with a goal; without a process, list them':
    'プロセスの run を、目標を添えて開始します。プロセスを省略すると一覧を表示します',
  'Submit an event with files as evidence; without an event, list those that are open':
    'ファイルを証拠としてイベントを送ります。イベントを省略すると、今送れるものを表示します',
  'Show what happened, newest last; filter by the ID of a run or a task':
    '起きたことを表示します (新しいものが最後)。ID で run やタスクを絞り込めます',
  'List the agents that run, and those that ran last': '実行中のエージェントと、最近動いたエージェントを表示します',
  'List the tasks of the projects': 'プロジェクトのタスクを表示します',
  'Write the whole store of this project to a file, while agents work':
    'このプロジェクトのデータベース全体をファイルに書き出します。エージェントの作業中でも実行できます',
  'Replace the store with a backup; shows the differences first, and pauses agents':
    'データベースをバックアップで置き換えます。先に違いを表示し、エージェントを止めます',
  'Let agents start again after a restore': '復元の後、エージェントを再び起動できるようにします',
  'Print the completion script for bash, zsh or fish': 'bash、zsh、fish の補完スクリプトを出力します',
  'Remove stored evidence; its digest stays': '保存された証拠の内容を削除します。ダイジェストは残ります',
  'Create a token that identifies a person where there is no terminal; it is shown once':
    '端末のない場所で人を証明するトークンを作ります。表示は一度だけです',
  'List the people and their tokens, without the secrets': '人とトークンを一覧します。トークンそのものは表示しません',
  "Revoke a person's token, and with --sessions sign out their browsers":
    '人のトークンを無効にします。--sessions を付けると、サインイン中のブラウザーも終了します',
  'Add a person with a token of their own, such as a second approver':
    'ほかの人を、その人のトークンとともに追加します (2 人目の承認者)',
  'Remove a person: their tokens, browsers and links end at once; past approvals stay in the history':
    '人を削除します。トークン、ブラウザー、リンクは直ちに無効になり、過去の承認は履歴に残ります',
  'Admit the people of another user database, such as a teammate on another machine; without a key, list admitted keys':
    '別のユーザーデータベースの人 (ほかのマシンのチームメンバーなど) の判断をここで有効にします。キーを省くと一覧を表示します',
  'Report every problem of process definitions at once': 'プロセス定義の問題をまとめて報告します',
  'Draw a process or a run as SVG, Mermaid or DOT': 'プロセスまたは run を SVG、Mermaid、DOT の図にします',
  'Make a run the current one of the project': 'run をプロジェクトの現在の run にします',
  'Show the timeline of the project: who did what, newest last':
    'プロジェクトの出来事を表示します。誰が何をしたかが分かります (新しいものが最後)',
  'Prove that no row of any run was changed, added or removed by hand':
    'どの run の行も手作業で変更、追加、削除されていないことを証明します',
  'Watch groups and agents live: state, time, tool calls, tokens, last line':
    'グループとエージェントの様子を表示し続けます (状態、時間、ツールの呼び出し、トークン、最後の行)',
  'Check the program and the model of every role (asks the model: it costs a call each)':
    '各ロールのプログラムとモデルを確認します (モデルに 1 回ずつ問い合わせるため、費用がかかります)',
  'Import the roles of a kuromajutsu configuration': 'kuromajutsu の設定からロールを取り込みます',
  'Show the current phase of a project, and what is missing':
    'プロジェクトのフェーズの現在地と、不足しているものを表示します',
  'Restart the phases of a project from the first one': 'プロジェクトのフェーズを最初から始めます',
  'List the prompts that are published in the store': 'データベースに公開されたプロンプトを一覧します',
  'List every version of a prompt': 'プロンプトの全バージョンを一覧します',
  'Show the text of a prompt': 'プロンプトを書かれたままの形で表示します',
  'Publish a new version of a prompt': 'プロンプトの新しいバージョンを公開します',
  'Point a label at a version of a prompt': 'ラベルをプロンプトのバージョンに付けます',
  'Serve an earlier version of a prompt again': 'プロンプトを前のバージョンに戻します',
  'Remove a label from a prompt, so that it is no longer served': 'プロンプトからラベルを外し、配信を止めます',
  'Show what changed between two versions of a prompt': 'プロンプトの 2 つのバージョンの違いを表示します',
  'Edit a prompt in $EDITOR and publish it': 'プロンプトを $EDITOR で編集して公開します',
  'Start agents for tasks that are ready, in a loop: ask, claim, start':
    '待っている作業のためにエージェントを起動します (問い合わせ、確保、起動を繰り返します)',
  'Show the tasks of each project by status': '各プロジェクトのタスクを状態ごとに表示します',
  'List the tasks that can start now: to do, with no open dependency':
    '今始められるタスクを表示します (todo で、何も待っていないもの)',
  'Show task dependencies: each task below the ones it waits for':
    'タスクの前後関係を表示します (待っている相手の下に並びます)',
  'Write projects and tasks as JSON Lines': 'プロジェクトとタスクを JSON Lines で書き出します',
  'Read projects and tasks from JSON Lines: all of them or none':
    'プロジェクトとタスクを JSON Lines から読み込みます。すべて読み込むか、1 つも読み込まないかです',
  'Show one execution; with --follow, its output as it comes':
    '作業の記録を 1 件表示します。--follow を付けると出力を流し続けます',
  '# Findings\n\nsrc/add.mjs subtracts. test.mjs expects a sum.\n':
    '# 調査結果\n\nsrc/add.mjs は引き算をしています。test.mjs は足し算を期待しています。\n',
  '# Sekisho. Everything is optional; docs/configuration.md has every key.':
    '# Sekisho の設定。すべて省略できます。キーの一覧は docs/ja/configuration.md にあります。',
  project: 'プロジェクト',
  store: 'データベース',
  program: 'プログラム',
  hooks: 'フック',
  server: 'サーバー',
  trust: '信頼',
  receipts: '問い合わせ',
  sandbox: 'サンドボックス',
  on: '有効',
  off: '無効',
  broken: '異常',
  unknown: '不明',
} as const;
