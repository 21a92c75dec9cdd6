import type { Japanese } from '../kernel/text/text.ts';
import { listJapanese } from '../kernel/text/list.ts';
import type { english as introductionEnglish } from './introduction.ts';
import type {
  englishProblem as problemEnglish,
  englishRefusal as refusalEnglish,
  englishPhrase as phraseEnglish,
} from './problem.ts';
import type { english as fleetViewEnglish } from './terminal/fleet-view.ts';

export const introduction: Japanese<typeof introductionEnglish> = {
  fleet: () => 'run_agents で他のエージェントを起動し、wait_agent で待って報告を受け取ります。',
};

export const problem: Japanese<typeof problemEnglish> = {
  GROUP_NOT_FOUND: ({ groupId }) => `グループ '${groupId}' が見つかりません`,
  GROUP_NOT_ACTIVE: ({ groupId }) => `グループ '${groupId}' は削除済みです。create_group で新しく作成してください。`,
  GROUP_HAS_RUNNING_AGENTS: ({ groupId, live }) =>
    `グループ '${groupId}' には待機中または実行中のエージェントが ${live} 件あります。wait_agent で待つか、cancel_agents で中止してください。`,
  MODE_MISMATCH: ({ groupId, mode, wanted }) =>
    `グループ '${groupId}' のモードは ${mode} です。この操作には ${wanted} が必要です。create_group で別のグループを作成してください。`,
  ROLE_NOT_FOUND: ({ role, known, note }) =>
    `ロール '${role}' はありません。利用できるロール: ${listJapanese(known)}。${note === undefined ? '' : `なお、${note('ja')}。`}`,
  ROLE_FILE_CHANGED: () =>
    '読み込み後に設定ファイルが変更されました。describe_role で読み直してから、もう一度実行してください。',
  ROLE_IS_DEFAULT: ({ role }) =>
    `ロール '${role}' は Sekisho に付属するもので、設定ファイルにはないため削除できません。変更するには save_role を使ってください。`,
  ROLE_UNAVAILABLE: ({ role, reason, remedy }) => `ロール '${role}' は利用できません: ${reason}。${remedy}`,
  MAX_CONCURRENT_REACHED: ({ live, wanted, max }) =>
    `エージェント ${live} 件が稼働中で、さらに ${wanted} 件が必要ですが、上限は ${max} 件です。wait_agent で待つか、件数を減らしてください。`,
  AGENTS_PAUSED: ({ why }) => `${why('ja')}人が内容を確認してから、sekisho resume を実行します。`,
  AGENT_NOT_FOUND: ({ agentId }) => `エージェント '${agentId}' が見つかりません。list_agents で確認してください。`,
  AGENT_NOT_STARTED: ({ agentId }) => `エージェント '${agentId}' はまだ起動していないため、報告する結果がありません。`,
  EMPTY_AGENTS: () => 'agents が空です。{role, prompt} を 1 件以上指定してください。',
  EMPTY_AGENT_IDS: () => 'agentIds が空です。run_agents または run_sequential が返した ID を指定してください。',
  EMPTY_STAGES: () => 'stages が空です。{tasks: [{role, prompt}]} を 1 件以上指定してください。',
  EMPTY_STAGE_TASKS: ({ stage }) => `段階 ${stage} の tasks が空です。各段階に 1 件以上指定してください。`,
  AGENTS_START_FAILED: ({ reason }) => `エージェントを起動できませんでした: ${reason}`,
  SEQUENTIAL_START_FAILED: ({ reason }) => `計画を開始できませんでした: ${reason}`,
};

export const refusal: Japanese<typeof refusalEnglish> = {
  report: (why) =>
    `この接続は '${why.identity}' のもので、自分の結果だけを報告できます。'${why.agentId}' の報告はできません。`,
  unidentified: (why) =>
    `ここではエージェント '${why.agentId}' 自身だけが結果を報告できます (identity: required)。この接続は身元を証明していません。`,
};

export const phrase: Japanese<typeof phraseEnglish> = {
  makeGroup: () => 'create_group で作成してください。',
  deleteRole: ({ role, file }) => `ロール '${role}' を ${file} から取り除きます。ファイルを信頼すると、なくなります。`,
  deleteRoleUncovers: () => 'その後は、Sekisho に付属する同じ名前のロールが使われます。',
  deleteRoleLive: ({ live, groups }) =>
    `このロールのエージェントが ${live} 件 (${groups} グループ)、待機中または実行中です。開始時の内容のまま続きます。`,
  deleteRoleOfAgents: () =>
    'その後は、このロールを使うプロセスでは人のロールとして扱われます (kind: agent もなくなるため)。',
  noticeFailed: ({ role, reason }) =>
    `ロール ${role} のエージェントが失敗しました${reason === '' ? '。' : `: ${reason}`}`,
  noticeFinished: ({ agents, failed }) =>
    `グループのエージェント ${agents} 件がすべて終了しました${failed === 0 ? '。' : ` (うち ${failed} 件は成功していません)。`}`,
  pauseRestored: ({ at }) =>
    `エージェントの起動を止めています。データベースは ${at} にバックアップから復元されました。`,
  resumeShown: ({ at, madeAt, seq, replaced }) =>
    [
      `データベースは ${at} に、${madeAt} のバックアップ (ジャーナルの ${seq} 番まで) から復元されました。`,
      replaced === 0
        ? 'それ以前のデータベースはありませんでした。'
        : `それ以前のデータベースは、ジャーナルの ${replaced} 番まででした。`,
      'バックアップの作成時に動いていたエージェントは終了しています。再開する前に、進行中の run とタスクを確認してください (sekisho status)。',
    ].join('\n'),
  agentRestored: () => 'データベースの復元に使われたバックアップの作成時に、待機中または実行中でした。',
  agentHostDied: () => 'ホストプロセスが予期せず終了しました。エージェントが起動したプロセスも終了しました。',
  agentHostMissing: () => 'ホストプロセスを起動できませんでした。',
  agentMachineSilent: ({ machine }) => `実行していたマシン ${machine} から応答がありません。`,
  agentStageFailed: ({ stage }) => `段階 ${stage} が失敗したため、実行されませんでした。`,
  agentTimedOut: ({ ms }) => `制限時間 ${ms} ミリ秒を超えたため終了しました。`,
  agentCancelled: () => '中止されました。',
  agentHostStopped: ({ signal }) => `ホストに停止の指示がありました (${signal})。`,
  agentExit: ({ code, signal }) =>
    signal === null ? `終了コード ${code} で終了しました。` : `${signal} で終了しました。`,
  agentNotInstalled: ({ program, remedy }) => `プログラム "${program}" が見つかりません。${remedy}`,
  agentNotStarted: ({ reason }) => `起動できませんでした: ${reason}`,
  agentNoSandbox: ({ reason }) => `サンドボックスの中で実行する必要がありますが、使えません: ${reason}`,
  agentUnasked: ({ cli, file }) =>
    `プロセスに従うエージェントですが、プロジェクト自身の ${file} があるため、ツールを使う前の確認が行われません。次を実行してください: sekisho init --client ${cli}`,
  agentHooksOff: ({ file }) =>
    `プロセスに従うエージェントですが、${file} でフックが無効になっているため ("disableAllHooks"、"hooksConfig")、ツールを使う前の確認が行われません。有効にしてください。`,
  agentInSandbox: ({ reason, sandbox, hidden }) =>
    `サンドボックス (${sandbox}) の中で: ${reason}${hidden.length === 0 ? '' : `\nサンドボックスの中では見えないもの: ${hidden.join(', ')}。必要なものがあれば sandbox.allow に加えてください。`}`,
  agentClaimedElsewhere: () => '必要なものをほかのエージェントか人がすでに確保していたため、実行されませんでした。',
  agentOtherBuild: () =>
    '別のバージョンの Sekisho が依頼したエージェントで、このバージョンでは扱えないため、実行されませんでした。',
  agentStrays: ({ count }) => `${count} 個のプロセスを終了できませんでした。`,
  agentDenied: ({ tools }) => `拒否: ${tools}`,
  agentAgentIdMissing: () => 'この接続はエージェント自身のものではないため、必要です',
  groupNoFolder: ({ path }) => `作業ディレクトリ ${path} がありません。`,
  worktreesIgnored: () =>
    '.sekisho/config.yaml の fleet.worktrees は無効になりました。エージェントの作業は常にブランチに記録されます。この行を削除してください。',
  uncommitted: ({ files }) =>
    `このフォルダーのコミットされていないファイル ${files} 件は、エージェントのツリーに含まれません。ツリーは最後のコミットから始まります。`,
  groupTreeTaken: ({ run, why }) =>
    `ここのファイルは run ${run} が比較しているため、ほかのエージェントは編集できません。専用のツリーも作れません: ${why('ja')}`,
  groupUnconfined: ({ role }) =>
    `サンドボックスの中からは、sandbox: off のロール '${role}' を起動できません。別のロールを使うか、人に起動を頼んでください。`,
  groupPlanRunning: ({ groupId }) => `グループ '${groupId}' では前の計画が実行中です。終わるまで待ってください。`,
  groupContended: () => '同時に起動しようとした処理が多すぎます。もう一度試してください。',
  promptReport: ({ agentId }) =>
    `\n\n---\nあなたはエージェント ${agentId} です。終わったとき、または続けられないときは、MCP サーバー "sekisho" の report_result を一度呼び、status (success または failure)、短い summary、詳しい報告があれば response、編集・作成したファイルを報告してください。agentId は不要です。\n`,
  promptEarlier: () => '前の段階の結果',
  promptStage: ({ stage }) => `段階 ${stage}`,
  promptCreated: () => '作成したファイル',
  promptEdited: () => '編集したファイル',
  promptError: () => 'エラー',
  roleMissingProgram: ({ program }) => `プログラム "${program}" が見つかりません`,
  roleBrokenProgram: ({ program, reason }) => `プログラム "${program}" が動作しません: ${reason}`,
  roleInstall: ({ command }) => `インストール: ${command}`,
  roleNoAnswer: ({ ms }) => `${ms} ミリ秒以内に応答がありません`,
  rolePromptFailed: ({ reason }) => `ヘルスチェックのプロンプトが失敗しました: ${reason}`,
  importLogLevel: ({ level }) => `log.level ${level}: ここでは環境変数 LOG_LEVEL で指定します`,
  importBadId: ({ id }) => `ロール "${id}": ID に使えるのは英数字、"-"、"_" だけです`,
  importTools: ({ id, tools }) =>
    `${id}: tools ${listJapanese(tools)}: 使い方を systemPrompt に書いてください。permissions: read のロールではシェルを使えません`,
  importModel: ({ id, model, cli }) => `${id}: モデル ${model} は Cursor の名前です。${cli} の既定のモデルを使います`,
  logDropped: ({ bytes }) => `[古い出力 ${bytes} バイトは残っていません]`,
  logElsewhere: ({ machine }) => `[出力はマシン ${machine} にあります]`,
};

export const fleetView: Japanese<typeof fleetViewEnglish> = {
  none: () => '有効なグループはありません。sekisho fleet create-group で作れます。',
  noAgents: () => 'エージェントはまだいません',
  calls: ({ n }) => `${n} 回`,
};

/** Japanese by English text. `words.ts` accepts no other keys. */
export const words = {
  'What to know about the start': '起動についての注意',
  'The commit of what it made in its own tree': '専用のツリーで行った作業のコミット',
  'What its agents made in trees of their own': 'エージェントが専用のツリーで行った作業',
  'only a person can start this application; a role must name an agent CLI':
    'このアプリケーションを起動できるのは人だけです。ロールにはエージェント CLI を指定してください',
  'letters, digits, "-" and "_"': '使えるのは英数字、- と _ だけです',
  'cli: command and command: […] go together': 'cli: command と command: […] は組で指定してください',
  'From create_group': 'create_group が返した ID',
  'From run_agents or run_sequential': 'run_agents または run_sequential が返した ID',
  'One of list_roles': 'list_roles にあるロール',
  'The task for the agent': 'エージェントにさせること',
  'Working directory, relative to the project root (the default)':
    '作業フォルダー (プロジェクトのルートから。既定はルート)',
  'Time limit in milliseconds': '制限時間 (ミリ秒)',
  'The full report, if it gave one': '報告の全文 (ある場合)',
  'Long texts and lists are cut; get_agent_status returns everything':
    '長い文と一覧は省略されます。全体は get_agent_status で見られます',
  'Total of the agents that reported usage': '使用量を報告したエージェントの合計',
  'Null until all of them have ended': 'すべて終わるまでは null',
  'Cancel agents: a queued one never starts; a running one is stopped with everything it started.':
    'エージェントを中止します。待機中のものは起動されません。実行中のものは、起動したプログラムごと終了します。',
  'The agents to cancel, at least one': '中止するエージェント (1 つ以上)',
  'Agents that were queued or running': '待機中または実行中だったエージェント',
  'Agents that had already ended': 'すでに終了していたエージェント',
  'Create a group for agents. Its first run_* call sets its mode unless you set it here.':
    'エージェントのグループを作ります。モードは、ここで指定しなければ、最初の run_agents または run_sequential で決まります。',
  'Purpose of the group, in a few words': 'グループの目的 (短く)',
  'concurrent: run_agents; sequential: run_sequential':
    'concurrent は run_agents、sequential は run_sequential で使います',
  'Delete a group that has no queued or running agents. Its agents and results stay readable.':
    'グループを削除します。待機中または実行中のエージェントがいるグループは削除できません。エージェントと結果は残ります。',
  'Remove a role from the configuration file. This takes effect once a person trusts the file (trust).':
    'ロールを設定ファイルから取り除きます。人がファイルを信頼する (trust) と、なくなります。',
  'Role ID': 'ロールの ID',
  'Digest from describe_role; fails if the file has changed since':
    'describe_role が返したダイジェスト。その後ファイルが変わっていれば失敗します',
  'The file that a person must trust now': '人による信頼が必要なファイル',
  'One agent: everything in get_agent_status, plus its prompt, its program and where it runs.':
    'エージェント 1 つの詳細です。get_agent_status の内容に加え、プロンプト、プログラム、作業場所を示します。',
  'The tool in use, if its stream says so': 'いま使っているツール (ストリームで分かる場合)',
  'A role as it is in the configuration file now, for editing.':
    '設定ファイルに書かれているロールを、編集のために返します。',
  'The program and its arguments, if cli is "command"': 'プログラムと引数 (cli が "command" の場合)',
  'Not in the file: it comes with Sekisho': 'ファイルに書かれていない、Sekisho 付属のものか',
  'Possible values of cli': 'cli に指定できるもの',
  'Digest of the file; save_role needs it': 'ファイルのダイジェスト (save_role で使います)',
  'Output of an agent, line by line, from the oldest line kept. Use nextCursor for more while it runs.':
    'エージェントの出力を、残っている最も古い行から順に返します。実行中は nextCursor で続きを読めます。',
  'Maximum number of lines': '最大の行数',
  'One agent: state, times, tool calls, tokens, last activity and result.':
    'エージェント 1 つの状態、時刻、ツールの呼び出し回数、トークン、最後の活動、結果を返します。',
  'Current and past agents of this project, newest first, with long results cut, and the registered identities.':
    'このプロジェクトのエージェント (新しい順、長い結果は省略) と、登録済みの ID の一覧です。',
  'Only agents of this group': 'このグループのエージェントだけ',
  'Only in this state; default: all': 'この状態のものだけ (既定はすべて)',
  'From nextCursor (more agents) or next_cursor (more profiles)':
    '前の応答の nextCursor (agents の続き) または next_cursor (profiles の続き)',
  'Present if there are more agents': 'agents に続きがある場合',
  'Present if there are more profiles': 'profiles に続きがある場合',
  'Agent groups of this project, newest first, including deleted ones, with agent counts by state and total tokens and cost.':
    'このプロジェクトのグループを新しい順に一覧します (削除済みを含む)。状態ごとのエージェント数、トークンと費用の合計が分かります。',
  'Only this group': 'このグループだけ',
  'Roles for agents, with the program and model of each and whether it is available.':
    'エージェントに割り当てられるロールの一覧です。プログラム、モデル、使えるかどうかが分かります。',
  'Purpose, if the configuration states it': '用途 (設定に書かれている場合)',
  'read: read only; edit: change files; full: run commands too':
    'read は閲覧のみ、edit はファイルの変更、full はコマンドの実行まで',
  'Report the result of an agent’s work. An agent reports for itself and may leave agentId out.':
    'エージェントの作業結果を報告します。エージェントが自分の結果を報告するときは、agentId を省略できます。',
  'The agent; not needed on an agent’s own connection': 'エージェントの ID (エージェント自身の接続では不要)',
  'How the work ended': '作業がどう終わったか',
  'What was done, in a few sentences': '行ったこと (数文で)',
  'The full report: what was done and found, why, and what the next agent must know':
    '報告の全文 (行ったこと、分かったこと、理由、次の担当が知るべきこと)',
  'Files that were changed': '変更したファイル',
  'Files that were created': '作成したファイル',
  'Why it failed': '失敗した理由',
  'Let agents start again after the store was restored from a backup.':
    'データベースをバックアップから復元した後、エージェントを再び起動できるようにします。',
  'Only the pause that began at this time; default: the current one':
    'この時刻に始まった停止だけを解除します (省略すると、今の停止)',
  'False if agents were not paused': '停止していなければ false',
  'Start one or more agents in a group. They run in the background; use wait_agent to wait for them.':
    'グループのエージェントをまとめて起動します。起動後は自動で進みます。終了を待つには wait_agent を使います。',
  'The agents to start, at least one': '起動するエージェント (1 つ以上)',
  'Run stages of agents one after another; each stage gets the results of earlier stages in its prompt.':
    'エージェントを段階ごとに順に実行します。各段階のプロンプトには、前の段階の結果が入ります。',
  'The agents of this stage, at least one': 'この段階のエージェント (1 つ以上)',
  'The stages in order, at least one': '段階 (順番どおり、1 つ以上)',
  'Whether later stages run after an agent fails': 'エージェントが失敗したとき、後の段階をどうするか',
  'Write a role to the configuration file. It takes effect once a person trusts the file (trust).':
    'ロールを設定ファイルに書き込みます。人がファイルを信頼する (trust) と有効になります。',
  'Role ID; a new role is added': 'ロールの ID。なければ追加されます',
  'Display name': '表示名',
  Purpose: '用途',
  'Program: claude, codex … or command': 'プログラム (claude、codex など。または command)',
  'Model; "default": the program’s default': 'モデル。"default" はプログラムの既定',
  'The program and its arguments, for cli command': 'cli が command のときのプログラムと引数',
  'System prompt for its agents': '最初に渡すシステムプロンプト',
  'Wait until all (or any) of these agents have ended, successfully or not. Call again while timedOut is true.':
    '指定したエージェントのすべて (またはいずれか) が終わるまで待ちます。結果は問いません。timedOut が true の間は、もう一度呼び出してください。',
  'The agents to wait for, at least one': '待つエージェント (1 つ以上)',
  'Maximum wait in milliseconds; default: 50000': '待つ時間の上限 (ミリ秒。既定は 50000)',
  'all: until the last has ended; any: until the first has': 'all は最後の 1 つまで、any は最初の 1 つまで待ちます',
  'Agents that have ended': '終了したエージェント',
  'Agents still queued or running': 'まだ待機中または実行中のエージェント',
  queued: '待機中',
  running: '実行中',
  completed: '完了',
  failed: '失敗',
  timedOut: '時間切れ',
  cancelled: '中止',
  resultReported: '報告済み',
} as const;
