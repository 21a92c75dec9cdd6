import type { Words } from '../kernel/text/text.ts';

/** What each command does, for help and the reference. Apart from the list of commands, which every start loads. */
export const summaries = {
  init: {
    en: 'Prepare this folder: .sekisho/ with a configuration and a place for processes',
    ja: 'このフォルダーで使えるように準備します (.sekisho/ に設定とプロセスの置き場所を作ります)',
  },
  demo: {
    en: 'See in two minutes what a gate does: a scripted agent in a scratch project; leaves nothing behind',
    ja: 'ゲートの働きを 2 分で体験します。台本どおりに動くエージェントを使い、後には何も残しません',
  },
  uninstall: {
    en: 'Take away again what init has set up here; the store stays',
    ja: 'init が設定したものを取り除きます。データベースは残ります',
  },
  up: {
    en: 'Start the daemon: MCP over HTTP on loopback, and the dashboard',
    ja: 'デーモンを起動します (ループバックでの HTTP の MCP と、ダッシュボード)',
  },
  down: {
    en: 'Stop the daemon that runs in the background',
    ja: 'バックグラウンドのデーモンを停止します',
  },
  open: {
    en: 'Open the dashboard in a browser, signed in; starts the daemon where none runs',
    ja: 'ダッシュボードをサインイン済みの状態でブラウザーに表示します。デーモンがなければ起動します',
  },
  'session list': {
    en: 'The browsers that are signed in to the dashboard',
    ja: 'ダッシュボードにサインインしているブラウザーを一覧します',
  },
  'session revoke': {
    en: 'Sign a browser out of the dashboard, or all of them',
    ja: 'ブラウザーをダッシュボードからサインアウトさせます (1 つまたはすべて)',
  },
  mcp: {
    en: 'Serve one MCP client over stdio',
    ja: 'stdio で 1 つの MCP クライアントに応答します',
  },
  run: {
    en: 'Start an agent CLI in a sandbox that cannot reach what decides about it',
    ja: 'エージェント CLI をサンドボックスで起動します。判定に関わるものには手が届きません',
  },
  hook: {
    en: 'Answer one hook of an agent CLI: its JSON on stdin, the decision on stdout',
    ja: 'エージェント CLI のフックに 1 回応答します (標準入力に JSON、標準出力に判定)',
  },
  status: {
    en: 'Where the project stands: rings, run, what waits for you, agents, tasks, what to type next',
    ja: 'プロジェクトの現状を表示します (輪、run、あなた待ちのもの、エージェント、タスク、次のコマンド)',
  },
  doctor: {
    en: 'Check this installation and project, and say what to do about what is wrong',
    ja: 'インストールとプロジェクトを点検し、問題の直し方を示します',
  },
  trust: {
    en: 'See what changed in the configuration and the definitions, and let it hold',
    ja: '設定と定義の変更を確認し、有効にします',
  },
  approve: {
    en: 'Look at the evidence of a run and approve it; without a run: what waits for you',
    ja: 'run の証拠を確認して承認します。run を省略すると、あなた待ちのものを表示します',
  },
  reject: {
    en: 'Look at the evidence of a run and send it back; without a run: what waits for you',
    ja: 'run の証拠を確認して差し戻します。run を省略すると、あなた待ちのものを表示します',
  },
  abort: {
    en: 'End a run that is no longer needed, with a reason; it never counts as done',
    ja: '不要になった run を、理由を付けて中止します。完了とは扱われません',
  },
  start: {
    en: 'Start a run of a process, with its goal in words; without a process: which there are',
    ja: 'プロセスの run を、目標を添えて開始します。プロセスを省略すると一覧を表示します',
  },
  submit: {
    en: 'Submit an event with files as its evidence; without an event: which are open',
    ja: 'ファイルを証拠としてイベントを送ります。イベントを省略すると、今送れるものを表示します',
  },
  log: {
    en: 'What happened, newest last; of a run or a task by its id',
    ja: '起きたことを表示します (新しいものが最後)。ID で run やタスクを絞り込めます',
  },
  ps: {
    en: 'The agents that run, and those that ran last',
    ja: '実行中のエージェントと、最近動いたエージェントを表示します',
  },
  tasks: {
    en: 'The tasks of the projects',
    ja: 'プロジェクトのタスクを表示します',
  },
  backup: {
    en: 'Write the whole store of this project to a file, while agents work',
    ja: 'このプロジェクトのデータベース全体をファイルに書き出します。エージェントの作業中でも実行できます',
  },
  restore: {
    en: 'Put a backup in place of the store; shows the differences first, and pauses agents',
    ja: 'データベースをバックアップで置き換えます。先に違いを表示し、エージェントを止めます',
  },
  resume: {
    en: 'Let agents start again after a restore',
    ja: '復元の後、エージェントを再び起動できるようにします',
  },
  completion: {
    en: 'Print what makes bash, zsh or fish complete our words',
    ja: 'bash、zsh、fish の補完スクリプトを出力します',
  },
  'evidence forget': {
    en: 'Remove the kept content of evidence; its digest stays',
    ja: '保存された証拠の内容を削除します。ダイジェストは残ります',
  },
  'token create': {
    en: 'Make a token that proves a person where there is no terminal; shown once',
    ja: '端末のない場所で人を証明するトークンを作ります。表示は一度だけです',
  },
  'token list': {
    en: 'The people and their tokens, without the tokens themselves',
    ja: '人とトークンを一覧します。トークンそのものは表示しません',
  },
  'token revoke': {
    en: 'End a token of a person, and with --sessions the browsers in which they are signed in',
    ja: '人のトークンを無効にします。--sessions を付けると、サインイン中のブラウザーも終了します',
  },
  'admin add-person': {
    en: 'Add somebody beside yourself, with a token of their own: a second approver',
    ja: 'ほかの人を、その人のトークンとともに追加します (2 人目の承認者)',
  },
  'admin remove-person': {
    en: 'Remove a person: their tokens, browsers and links end at once; past approvals stay in the history',
    ja: '人を削除します。トークン、ブラウザー、リンクは直ちに無効になり、過去の承認は履歴に残ります',
  },
  'admin admit': {
    en: 'Let the people of another user database decide here, such as a teammate on another machine; without a key, list those who may',
    ja: '別のユーザーデータベースの人 (ほかのマシンのチームメンバーなど) の判断をここで有効にします。キーを省くと一覧を表示します',
  },
  'gate lint': {
    en: 'Report every problem of process definitions at once',
    ja: 'プロセス定義の問題をまとめて報告します',
  },
  'gate graph': {
    en: 'Draw a process or a run as SVG, Mermaid or DOT',
    ja: 'プロセスまたは run を SVG、Mermaid、DOT の図にします',
  },
  'gate use': {
    en: 'Make a run the current one of the project',
    ja: 'run をプロジェクトの現在の run にします',
  },
  'journal list': {
    en: 'The timeline of the project: who did what, newest last',
    ja: 'プロジェクトの出来事を表示します。誰が何をしたかが分かります (新しいものが最後)',
  },
  'journal verify': {
    en: 'Prove that no row of any run was changed, added or removed by hand',
    ja: 'どの run の行も手作業で変更、追加、削除されていないことを証明します',
  },
  'fleet watch': {
    en: 'Groups and agents as they go: state, time, tool calls, tokens, last line',
    ja: 'グループとエージェントの様子を表示し続けます (状態、時間、ツールの呼び出し、トークン、最後の行)',
  },
  'fleet check-roles': {
    en: 'Check the program and the model of every role (asks the model: it costs a call each)',
    ja: '各ロールのプログラムとモデルを確認します (モデルに 1 回ずつ問い合わせるため、費用がかかります)',
  },
  'fleet import-roles': {
    en: 'Take over the roles of a kuromajutsu configuration',
    ja: 'kuromajutsu の設定からロールを取り込みます',
  },
  'phase status': {
    en: 'Where the phases of a project stand, and what is missing',
    ja: 'プロジェクトのフェーズの現在地と、不足しているものを表示します',
  },
  'phase restart': {
    en: 'Begin the phases of a project anew',
    ja: 'プロジェクトのフェーズを最初から始めます',
  },
  'phase prompts': {
    en: 'The prompts that were published in the store',
    ja: 'データベースに公開されたプロンプトを一覧します',
  },
  'phase versions': {
    en: 'Every version of a prompt',
    ja: 'プロンプトの全バージョンを一覧します',
  },
  'phase show': {
    en: 'A prompt as it is written',
    ja: 'プロンプトを書かれたままの形で表示します',
  },
  'phase publish': {
    en: 'Publish a new version of a prompt',
    ja: 'プロンプトの新しいバージョンを公開します',
  },
  'phase label': {
    en: 'Point a label at a version of a prompt',
    ja: 'ラベルをプロンプトのバージョンに付けます',
  },
  'phase rollback': {
    en: 'Serve an earlier version of a prompt again',
    ja: 'プロンプトを前のバージョンに戻します',
  },
  'phase withdraw': {
    en: 'Take a label off a prompt, so that it is not served any more',
    ja: 'プロンプトからラベルを外し、配信を止めます',
  },
  'phase diff': {
    en: 'What changed between two versions of a prompt',
    ja: 'プロンプトの 2 つのバージョンの違いを表示します',
  },
  'phase edit': {
    en: 'Edit a prompt in $EDITOR and publish it',
    ja: 'プロンプトを $EDITOR で編集して公開します',
  },
  runner: {
    en: 'Start agents for the work that waits: ask, claim, start, again and again',
    ja: '待っている作業のためにエージェントを起動します (問い合わせ、確保、起動を繰り返します)',
  },
  'work board': {
    en: 'The tasks of each project, state by state',
    ja: '各プロジェクトのタスクを状態ごとに表示します',
  },
  'work ready': {
    en: 'The tasks that can start now: to do, and waiting for nothing',
    ja: '今始められるタスクを表示します (todo で、何も待っていないもの)',
  },
  'work graph': {
    en: 'What comes after what: tasks below those that they wait for',
    ja: 'タスクの前後関係を表示します (待っている相手の下に並びます)',
  },
  'work export': {
    en: 'Write projects and tasks as JSON Lines',
    ja: 'プロジェクトとタスクを JSON Lines で書き出します',
  },
  'work import': {
    en: 'Read projects and tasks from JSON Lines: all of them or none',
    ja: 'プロジェクトとタスクを JSON Lines から読み込みます。すべて読み込むか、1 つも読み込まないかです',
  },
  'work get-execution-log': {
    en: 'One execution; with --follow its output as it comes',
    ja: '実行を 1 つ表示します。--follow を付けると出力を流し続けます',
  },
} as const satisfies Readonly<Record<string, Words>>;

export type CommandName = keyof typeof summaries;
