import { defineProblems, defineRefusals } from '../kernel/problem.ts';
import type { Sentence } from '../kernel/text/text.ts';
import { definePhrases } from '../kernel/text/text.ts';

const listedEn = (items: readonly string[]) => items.join(', ') || 'none';
const listedJa = (items: readonly string[]) => items.join('、') || 'なし';

export const problem = defineProblems({
  GROUP_NOT_FOUND: {
    en: ({ groupId }: { groupId: string }) => `There is no group "${groupId}"`,
    ja: ({ groupId }) => `グループ '${groupId}' が見つかりません`,
  },
  GROUP_NOT_ACTIVE: {
    en: ({ groupId }: { groupId: string }) => `The group "${groupId}" was deleted. Make a new one with create_group.`,
    ja: ({ groupId }) => `グループ '${groupId}' は削除済みです。create_group で新しく作成してください。`,
  },
  GROUP_HAS_RUNNING_AGENTS: {
    en: ({ groupId, live }: { groupId: string; live: number }) =>
      `${live} agent(s) of the group "${groupId}" are still queued or running. Wait for them with wait_agent, or end them with cancel_agents.`,
    ja: ({ groupId, live }) =>
      `グループ '${groupId}' には待機中または実行中の Agent が ${live} 台あります。wait_agent で待つか、cancel_agents で終了してください。`,
  },
  MODE_MISMATCH: {
    en: ({ groupId, mode, wanted }: { groupId: string; mode: string; wanted: string }) =>
      `The group "${groupId}" is ${mode}; this needs a ${wanted} one. Make another group with create_group.`,
    ja: ({ groupId, mode, wanted }) =>
      `グループ '${groupId}' のモードは ${mode} です。この操作には ${wanted} が必要です。create_group で別のグループを作成してください。`,
  },
  ROLE_NOT_FOUND: {
    en: ({ role, known, note }: { role: string; known: readonly string[]; note: Sentence | undefined }) =>
      `There is no role "${role}". Known: ${listedEn(known)}.${note === undefined ? '' : ` Mind that ${note('en')}.`}`,
    ja: ({ role, known, note }) =>
      `職種 '${role}' はありません。利用できる職種: ${listedJa(known)}。${note === undefined ? '' : `なお、${note('ja')}。`}`,
  },
  ROLE_FILE_CHANGED: {
    en: () =>
      'The configuration has been changed since you read it. Read the role again with describe_role, then try again.',
    ja: () => '読み込み後に設定ファイルが変更されました。describe_role で読み直してから、もう一度実行してください。',
  },
  ROLE_IS_DEFAULT: {
    en: ({ role }: { role: string }) =>
      `The role "${role}" comes with Sekisho and is not in the configuration file, so there is nothing to delete. Change it with save_role.`,
    ja: ({ role }) =>
      `職種 '${role}' は Sekisho に付属するもので、設定ファイルにはないため削除できません。変更するには save_role を使ってください。`,
  },
  ROLE_UNAVAILABLE: {
    en: ({ role, reason, remedy }: { role: string; reason: string; remedy: string }) =>
      `The role "${role}" cannot be used: ${reason}. ${remedy}`,
    ja: ({ role, reason, remedy }) => `職種 '${role}' は利用できません: ${reason}。${remedy}`,
  },
  MAX_CONCURRENT_REACHED: {
    en: ({ live, wanted, max }: { live: number; wanted: number; max: number }) =>
      `${live} agent(s) are live and ${wanted} more are wanted, but at most ${max} may be at once. Wait for some with wait_agent, or start fewer.`,
    ja: ({ live, wanted, max }) =>
      `${live} 台が稼働中で、さらに ${wanted} 台が必要ですが、上限は ${max} 台です。wait_agent で待つか、台数を減らしてください。`,
  },
  AGENTS_PAUSED: {
    en: ({ why }: { why: Sentence }) => `${why('en')} A person looks at what is there, then runs: sekisho resume`,
    ja: ({ why }) => `${why('ja')}人が内容を確認してから、sekisho resume を実行します。`,
  },
  AGENT_NOT_FOUND: {
    en: ({ agentId }: { agentId: string }) => `There is no agent "${agentId}". list_agents shows them.`,
    ja: ({ agentId }) => `Agent '${agentId}' が見つかりません。list_agents で確認してください。`,
  },
  /** It waits for its stage, so there is nothing to report yet. */
  AGENT_NOT_STARTED: {
    en: ({ agentId }: { agentId: string }) =>
      `The agent "${agentId}" has not started yet, so there is nothing to report.`,
    ja: ({ agentId }) => `Agent '${agentId}' はまだ起動していないため、報告する結果がありません。`,
  },
  EMPTY_AGENTS: {
    en: () => 'agents is empty. Give at least one {role, prompt}.',
    ja: () => 'agents が空です。{role, prompt} を 1 件以上指定してください。',
  },
  EMPTY_AGENT_IDS: {
    en: () => 'agentIds is empty. Give the ids that run_agents or run_sequential returned.',
    ja: () => 'agentIds が空です。run_agents または run_sequential が返した ID を指定してください。',
  },
  EMPTY_STAGES: {
    en: () => 'stages is empty. Give at least one {tasks: [{role, prompt}]}.',
    ja: () => 'stages が空です。{tasks: [{role, prompt}]} を 1 件以上指定してください。',
  },
  EMPTY_STAGE_TASKS: {
    en: ({ stage }: { stage: number }) => `Stage ${stage} has no tasks. Give each stage at least one {role, prompt}.`,
    ja: ({ stage }) => `ステージ ${stage} の tasks が空です。各ステージに 1 件以上指定してください。`,
  },
  AGENTS_START_FAILED: {
    en: ({ reason }: { reason: string }) => `The agents were not started: ${reason}`,
    ja: ({ reason }) => `Agent を起動できませんでした: ${reason}`,
  },
  SEQUENTIAL_START_FAILED: {
    en: ({ reason }: { reason: string }) => `The plan was not started: ${reason}`,
    ja: ({ reason }) => `計画を開始できませんでした: ${reason}`,
  },
});

export const refusal = defineRefusals({
  /** A connection with an identity reports for itself only. */
  report: {
    en: (why: { identity: string; agentId: string }) =>
      `This connection is "${why.identity}" and reports for itself only, not for "${why.agentId}".`,
    ja: (why) =>
      `この接続は '${why.identity}' のもので、自分の結果だけを報告できます。'${why.agentId}' の報告はできません。`,
  },
  /** `identity: required`, and this connection has none. */
  unidentified: {
    en: (why: { agentId: string }) =>
      `Only the agent "${why.agentId}" itself may report its result here (identity: required), and this connection has not proved who it is.`,
    ja: (why) =>
      `ここでは Agent '${why.agentId}' 自身だけが結果を報告できます (identity: required)。この接続は身元を証明していません。`,
  },
});

export const phrase = definePhrases({
  makeGroup: {
    en: () => 'Make one with create_group.',
    ja: () => 'create_group で作成してください。',
  },
  deleteRole: {
    en: ({ role, file }: { role: string; file: string }) =>
      `The role "${role}" is taken out of ${file}. It is gone once you trust the file.`,
    ja: ({ role, file }) => `ロール '${role}' を ${file} から取り除きます。ファイルを信頼すると、なくなります。`,
  },
  deleteRoleUncovers: {
    en: () => 'The role of the same name that comes with Sekisho is used from then on.',
    ja: () => 'その後は、Sekisho に付属する同じ名前のロールが使われます。',
  },
  deleteRoleLive: {
    en: ({ live, groups }: { live: number; groups: number }) =>
      `${live} agent(s) of it, in ${groups} group(s), are queued or running. They go on as they were started.`,
    ja: ({ live, groups }) =>
      `このロールのエージェントが ${live} 件 (${groups} グループ)、待機中または実行中です。開始時の内容のまま続きます。`,
  },
  deleteRoleOfAgents: {
    en: () => 'Processes that name it take it for a role of people from then on (kind: agent is gone with it).',
    ja: () => 'その後は、このロールを使うプロセスでは人のロールとして扱われます (kind: agent もなくなるため)。',
  },
  noticeFailed: {
    en: ({ role, reason }: { role: string; reason: string }) =>
      `An agent of the role ${role} failed${reason === '' ? '.' : `: ${reason}`}`,
    ja: ({ role, reason }) => `ロール ${role} のエージェントが失敗しました${reason === '' ? '。' : `: ${reason}`}`,
  },
  noticeFinished: {
    en: ({ agents, failed }: { agents: number; failed: number }) =>
      `All ${agents} agents of the group have ended${failed === 0 ? '.' : `; ${failed} of them did not succeed.`}`,
    ja: ({ agents, failed }) =>
      `グループのエージェント ${agents} 件がすべて終了しました${failed === 0 ? '。' : ` (うち ${failed} 件は成功していません)。`}`,
  },
  pauseRestored: {
    en: ({ at }: { at: string }) => `No agent is started: the store was restored from a backup at ${at}.`,
    ja: ({ at }) => `エージェントの起動を止めています。データベースは ${at} にバックアップから復元されました。`,
  },
  resumeShown: {
    en: ({ at, madeAt, seq, replaced }: { at: string; madeAt: string; seq: number; replaced: number }) =>
      [
        `The store was restored at ${at} from a backup of ${madeAt} (journal entry ${seq}).`,
        replaced === 0 ? 'There was no store before.' : `The store before it ended with journal entry ${replaced}.`,
        'Agents that ran when the backup was made have ended. Look at the open runs and tasks (sekisho status) before new ones start.',
      ].join('\n'),
    ja: ({ at, madeAt, seq, replaced }) =>
      [
        `データベースは ${at} に、${madeAt} のバックアップ (ジャーナルの ${seq} 番まで) から復元されました。`,
        replaced === 0
          ? 'それ以前のデータベースはありませんでした。'
          : `それ以前のデータベースは、ジャーナルの ${replaced} 番まででした。`,
        'バックアップの作成時に動いていたエージェントは終了しています。再開する前に、進行中の run とタスクを確認してください (sekisho status)。',
      ].join('\n'),
  },
  agentRestored: {
    en: () => 'It was queued or running when the backup was made from which the store was restored.',
    ja: () => 'データベースの復元に使われたバックアップの作成時に、待機中または実行中でした。',
  },
  agentHostDied: {
    en: (_params: { machine: string }) =>
      'Its host process ended unexpectedly; what the agent had started was ended too.',
    ja: () => 'ホストプロセスが予期せず終了しました。Agent が起動したプロセスも終了しました。',
  },
  agentHostMissing: {
    en: (_params: { machine: string }) => 'Its host process could not be started.',
    ja: () => 'ホストプロセスを起動できませんでした。',
  },
  agentMachineSilent: {
    en: ({ machine }: { machine: string }) => `The machine ${machine}, where it ran, has given no sign of life.`,
    ja: ({ machine }) => `実行していたマシン ${machine} から応答がありません。`,
  },
  agentStageFailed: {
    en: ({ stage }: { stage: number }) => `It never ran: stage ${stage} failed.`,
    ja: ({ stage }) => `ステージ ${stage} が失敗したため、実行されませんでした。`,
  },
  agentTimedOut: {
    en: ({ ms }: { ms: number }) => `It was ended after its time limit of ${ms} ms.`,
    ja: ({ ms }) => `制限時間 ${ms} ミリ秒を超えたため終了しました。`,
  },
  agentCancelled: {
    en: () => 'It was cancelled.',
    ja: () => 'キャンセルされました。',
  },
  agentHostStopped: {
    en: ({ signal }: { signal: string }) => `Its host was told to stop (${signal}).`,
    ja: ({ signal }) => `ホストに停止の指示がありました (${signal})。`,
  },
  agentExit: {
    en: ({ code, signal }: { code: number | null; signal: string | null }) =>
      signal === null ? `It ended with exit code ${code}.` : `It was ended by ${signal}.`,
    ja: ({ code, signal }) => (signal === null ? `終了コード ${code} で終了しました。` : `${signal} で終了しました。`),
  },
  agentNotInstalled: {
    en: ({ program, remedy }: { program: string; remedy: string }) =>
      `The program "${program}" was not found. ${remedy}`,
    ja: ({ program, remedy }) => `プログラム "${program}" が見つかりません。${remedy}`,
  },
  agentNotStarted: {
    en: ({ reason }: { reason: string }) => `It could not be started: ${reason}`,
    ja: ({ reason }) => `起動できませんでした: ${reason}`,
  },
  agentNoSandbox: {
    en: ({ reason }: { reason: string }) => `it must run in a sandbox, and there is none: ${reason}`,
    ja: ({ reason }) => `サンドボックスの中で実行する必要がありますが、使えません: ${reason}`,
  },
  agentUnasked: {
    en: ({ cli, file }: { cli: string; file: string }) =>
      `a process binds it, but ${file} is the project's own and does not make it ask here before it uses a tool. Run: sekisho init --client ${cli}`,
    ja: ({ cli, file }) =>
      `プロセスに従う Agent ですが、プロジェクト自身の ${file} があるため、ツールを使う前の確認が行われません。次を実行してください: sekisho init --client ${cli}`,
  },
  agentHooksOff: {
    en: ({ file }: { file: string }) =>
      `a process binds it, but ${file} switches its hooks off ("disableAllHooks", "hooksConfig"), so nothing would ask before it uses a tool. Switch them on there.`,
    ja: ({ file }) =>
      `プロセスに従う Agent ですが、${file} でフックが無効になっているため ("disableAllHooks"、"hooksConfig")、ツールを使う前の確認が行われません。有効にしてください。`,
  },
  agentInSandbox: {
    en: ({ reason, sandbox, hidden }: { reason: string; sandbox: string; hidden: readonly string[] }) =>
      `In the sandbox (${sandbox}): ${reason}${hidden.length === 0 ? '' : `\nNot there inside: ${hidden.join(', ')}. If it needs one, add it to sandbox.allow.`}`,
    ja: ({ reason, sandbox, hidden }) =>
      `サンドボックス (${sandbox}) の中で: ${reason}${hidden.length === 0 ? '' : `\n中からは見えないもの: ${hidden.join(', ')}。必要なものがあれば sandbox.allow に加えてください。`}`,
  },
  agentClaimedElsewhere: {
    en: () => 'It never ran: somebody else has claimed what it needs.',
    ja: () => '必要なものがすでに確保されていたため、実行されませんでした。',
  },
  agentOtherBuild: {
    en: () => 'It never ran: another version of Sekisho asked for it, in a way that this one does not know.',
    ja: () => '別のバージョンの Sekisho が依頼した Agent で、このバージョンでは扱えないため、実行されませんでした。',
  },
  agentStrays: {
    en: ({ count }: { count: number }) => `${count} of its processes could not be ended.`,
    ja: ({ count }) => `${count} 個のプロセスを終了できませんでした。`,
  },
  agentDenied: {
    en: ({ tools }: { tools: string }) => `Denied: ${tools}`,
    ja: ({ tools }) => `拒否: ${tools}`,
  },
  agentAgentIdMissing: {
    en: () => 'needed, because this connection is not an agent’s own',
    ja: () => 'この接続は Agent 自身のものではないため、必要です',
  },
  groupNoFolder: {
    en: ({ path }: { path: string }) => `the working directory ${path} does not exist.`,
    ja: ({ path }) => `作業ディレクトリ ${path} がありません。`,
  },
  groupNoCommit: {
    en: ({ path }: { path: string }) =>
      `isolation: worktree needs a git repository with a commit, and ${path} is in none. Commit something first, or set isolation: none.`,
    ja: ({ path }) =>
      `isolation: worktree には、コミットのある git リポジトリが必要ですが、${path} にはありません。先にコミットするか、isolation: none にしてください。`,
  },
  groupUnconfined: {
    en: ({ role }: { role: string }) =>
      `you work in a sandbox, and the role "${role}" has sandbox: off. Use a role without it, or ask a person to start it.`,
    ja: ({ role }) =>
      `サンドボックスの中からは、sandbox: off の役割 '${role}' を起動できません。別の役割を使うか、人に起動を頼んでください。`,
  },
  groupPlanRunning: {
    en: ({ groupId }: { groupId: string }) => `the group "${groupId}" is still at its last plan. Wait for it first.`,
    ja: ({ groupId }) => `グループ '${groupId}' では前の計画が実行中です。終わるまで待ってください。`,
  },
  groupContended: {
    en: () => 'too many others were starting agents at the same moment. Try again.',
    ja: () => '同時に起動しようとした処理が多すぎます。もう一度試してください。',
  },
  promptReport: {
    en: ({ agentId }: { agentId: string }) =>
      `\n\n---\nYou are the agent ${agentId}. When you have finished, or cannot go on, call the tool report_result of the MCP server "sekisho" once, with status (success or failure), a short summary, the whole report as response where there is more to say, and the files that you edited or created. It knows who you are; leave agentId out.\n`,
    ja: ({ agentId }) =>
      `\n\n---\nあなたは Agent ${agentId} です。終わったとき、または続けられないときは、MCP サーバー "sekisho" の report_result を一度呼び、status (success または failure)、短い summary、詳しい報告があれば response、編集・作成したファイルを報告してください。agentId は不要です。\n`,
  },
  promptEarlier: {
    en: () => 'Results of the earlier stages',
    ja: () => '前のステージの結果',
  },
  promptStage: {
    en: ({ stage }: { stage: number }) => `Stage ${stage}`,
    ja: ({ stage }) => `ステージ ${stage}`,
  },
  promptCreated: {
    en: () => 'Created files',
    ja: () => '作成したファイル',
  },
  promptEdited: {
    en: () => 'Edited files',
    ja: () => '編集したファイル',
  },
  promptError: {
    en: () => 'Error',
    ja: () => 'エラー',
  },
  roleMissingProgram: {
    en: ({ program }: { program: string }) => `the program "${program}" was not found`,
    ja: ({ program }) => `プログラム "${program}" が見つかりません`,
  },
  roleBrokenProgram: {
    en: ({ program, reason }: { program: string; reason: string }) =>
      `the program "${program}" does not work: ${reason}`,
    ja: ({ program, reason }) => `プログラム "${program}" が動作しません: ${reason}`,
  },
  roleInstall: {
    en: ({ command }: { command: string }) => `Install it: ${command}`,
    ja: ({ command }) => `インストール: ${command}`,
  },
  roleNoAnswer: {
    en: ({ ms }: { ms: number }) => `no answer within ${ms} ms`,
    ja: ({ ms }) => `${ms} ミリ秒以内に応答がありません`,
  },
  rolePromptFailed: {
    en: ({ reason }: { reason: string }) => `the health prompt failed: ${reason}`,
    ja: ({ reason }) => `ヘルスチェックのプロンプトが失敗しました: ${reason}`,
  },
  importLogLevel: {
    en: ({ level }: { level: string }) => `log.level ${level}: it is the environment variable LOG_LEVEL here`,
    ja: ({ level }) => `log.level ${level}: ここでは環境変数 LOG_LEVEL で指定します`,
  },
  importBadId: {
    en: ({ id }: { id: string }) => `a role "${id}": an id has letters, digits, "-" and "_" only`,
    ja: ({ id }) => `職種 "${id}": ID に使えるのは英数字、"-"、"_" だけです`,
  },
  importTools: {
    en: ({ id, tools }: { id: string; tools: readonly string[] }) =>
      `${id}: tools ${listedEn(tools)}: say in its systemPrompt how to run them; a role with permissions: read has no shell`,
    ja: ({ id, tools }) =>
      `${id}: tools ${listedJa(tools)}: 使い方を systemPrompt に書いてください。permissions: read の職種ではシェルを使えません`,
  },
  importModel: {
    en: ({ id, model, cli }: { id: string; model: string; cli: string }) =>
      `${id}: model ${model} is a name of Cursor’s; ${cli} takes its own default`,
    ja: ({ id, model, cli }) => `${id}: モデル ${model} は Cursor の名前です。${cli} の既定のモデルを使います`,
  },
  logDropped: {
    en: ({ bytes }: { bytes: number }) => `[${bytes} bytes of older output are no longer kept]`,
    ja: ({ bytes }) => `[古い出力 ${bytes} バイトは残っていません]`,
  },
  logElsewhere: {
    en: ({ machine }: { machine: string }) => `[the output is kept on the machine ${machine}]`,
    ja: ({ machine }) => `[出力はマシン ${machine} にあります]`,
  },
});
