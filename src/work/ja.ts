import type { Japanese } from '../kernel/text/text.ts';
import { listJapanese } from '../kernel/text/list.ts';
import type { english as introductionEnglish } from './introduction.ts';
import type {
  englishProblem as problemEnglish,
  englishRefusal as refusalEnglish,
  englishPhrase as phraseEnglish,
} from './problem.ts';

export const introduction: Japanese<typeof introductionEnglish> = {
  work: () => 'チームのエージェントは authenticate、次に get_my_task を呼び、report_completed で終えます。',
};

export const problem: Japanese<typeof problemEnglish> = {
  INVALID_CREDENTIALS: () => 'Invalid agent_id or passkey',
  ALREADY_RUNNING: () => 'Agent instance already running for this project',
  INVALID_SESSION: () => 'Invalid or expired session_token',
  INVALID_SESSION_OR_TASK: () => 'Invalid session_token or task_id',
  INVALID_EXECUTION_OR_SESSION: () => 'Invalid execution_id or session_token',
  PROJECT_NOT_FOUND: ({ project_id }) =>
    `プロジェクト「${project_id}」は存在しません。list_projects で一覧を確認できます。`,
  TASK_NOT_FOUND: ({ task_id }) => `タスク「${task_id}」は存在しません。list_tasks で一覧を確認できます。`,
  TASK_AMBIGUOUS: ({ given, spellings }) =>
    `「${given}」に当たるタスクが複数のプロジェクトにあります。次のいずれかで指定してください: ${spellings.join(', ')}`,
  HANDOFF_NOT_FOUND: ({ handoff_id }) =>
    `引き継ぎ「${handoff_id}」は存在しません。get_pending_handoffs で未処理のものを確認できます。`,
  EXECUTION_NOT_FOUND: ({ execution_id }) =>
    `作業の記録「${execution_id}」は存在しません。list_execution_logs で一覧を確認できます。`,
  EXECUTION_LOG_AWAY: ({ path }) =>
    path === null
      ? 'この作業の記録にはログファイルがありません。'
      : `ログ「${path}」は、このマシンにあるこのプロジェクトのファイルではありません。実行したマシンで確認してください。`,
  ID_TAKEN: ({ id }) => `「${id}」は既に使われています。別の id を指定するか、省略してください。`,
  FOLDER_TAKEN: ({ folder, database }) =>
    `フォルダー ${folder} は別のデータベース (${database}) に属しています。別の working_directory を指定するか、そのフォルダーでコマンドを実行してプロジェクトを作成してください。`,
  NOT_ASSIGNED: ({ agent_id, project_id }) =>
    `エージェント「${agent_id}」はプロジェクト「${project_id}」に割り当てられていません。assign_agent で割り当ててください。`,
  INVALID_TRANSITION: ({ task_id, from, to, possible }) =>
    `タスク「${task_id}」は ${from} のため ${to} に変更できません。可能な変更先: ${listJapanese(possible)}。`,
  DEPENDENCIES_OPEN: ({ task_id, open }) =>
    `タスク「${task_id}」は、次のタスクが完了するまで開始できません: ${listJapanese(open)}。`,
  DEPENDENCY_CYCLE: ({ task_id, other }) =>
    `タスク「${task_id}」を「${other}」の後にすることはできません。「${other}」がその後に続くためです。`,
  PLAN_BUSY: () => '他からタスクの変更が続いています。タスクを読み直してから、もう一度試してください。',
  TASK_NEEDED: ({ task_id, needed }) =>
    `タスク「${task_id}」には、依存しているタスクがあります: ${listJapanese(needed)}。先にそれらを変更するか、force を付けて削除してください。`,
  TASK_CLAIMED: ({ task_id, agent_id }) =>
    `エージェント「${agent_id}」がタスク「${task_id}」を作業中です。セッションの終了を待つか、引き継ぎを依頼してください。`,
  TASK_NOT_YOURS: ({ task_id, agent_id, assignee_id }) =>
    assignee_id === null
      ? `タスク「${task_id}」は「${agent_id}」に割り当てられていません。先に引き継ぎを受領するか、logout を呼び出してください。`
      : `タスク「${task_id}」の担当は「${agent_id}」ではなく「${assignee_id}」です。報告できるのは担当者だけです。先に引き継ぎを受領するか、logout を呼び出してください。`,
  TASK_STARTED: ({ task_id }) => `タスク「${task_id}」は開始済みのため、プロセスを変更できません。`,
  TASK_CLOSED: ({ task_id, status }) => `タスク「${task_id}」は ${status} のため、引き継ぐものがありません。`,
  TASK_CONFLICT: ({ task_id, expected, current }) =>
    expected === undefined
      ? `タスク「${task_id}」は他から変更され続けています (revision ${current})。get_task で読み直してから再試行してください。`
      : `タスク「${task_id}」の revision は ${expected} ではなく ${current} です。get_task で読み直してから再試行してください。`,
  PROCESS_INCOMPLETE: ({ task_id, process_id, run_id, state, missing, events }) =>
    run_id === undefined
      ? `タスク「${task_id}」はプロセス「${process_id}」に従いますが、run が開始されていません。先に in_progress にしてください。`
      : `タスク「${task_id}」は完了していません。プロセス「${process_id}」の ${run_id} は状態「${state}」です。` +
        `${missing.length > 0 ? `不足: ${missing.join('; ')}。` : ''}state_gate.emit_event (${listJapanese(events)}) で証拠を提出してから、再度報告してください。`,
  HANDOFF_NOT_YOURS: ({ handoff_id, agent_id }) => `引き継ぎ「${handoff_id}」は「${agent_id}」宛てではありません。`,
  HANDOFF_TO_SELF: ({ agent_id }) =>
    `エージェント「${agent_id}」は自分自身に引き継ぐことはできません。to_agent_id に別のエージェントを指定するか、省略してください。`,
  HANDOFF_CLOSED: ({ handoff_id, by }) =>
    by === undefined
      ? `引き継ぎ「${handoff_id}」は既に取り下げられています。`
      : `引き継ぎ「${handoff_id}」は既に「${by}」が受領しています。`,
  RUNNER_REFUSED: ({ url, reason }) =>
    `${url} のサーバーがこの Runner に応答しません: ${reason}。サーバーが起動しているか、SEKISHO_RUNNER_TOKEN (または runner.token) にトークンがあるか確認してください。`,
  IMPORT_INVALID: ({ line, reason }) => `${line} 行目をインポートできません: ${reason}`,
};

export const refusal: Japanese<typeof refusalEnglish> = {
  identity: (why) => `この接続は「${why.own}」であり、「${why.named}」として操作することはできません。`,
  unproven: (why) =>
    `この接続は本人確認が済んでいないため${why.agent === undefined ? '' : `、「${why.agent}」として`}操作できません (identity: required)。先に authenticate を呼び出してください。`,
  force: () => 'プロセスが完了していないタスクを完了にできるのは人だけです。',
};

export const phrase: Japanese<typeof phraseEnglish> = {
  noticeBlocked: ({ reason }) => `タスクがブロックされています${reason === '' ? '。' : `: ${reason}`}`,
  runAborted: ({ reason }) => `run が中止されました: ${reason}`,
  noticeHandoff: ({ from, to, summary }) =>
    `${from} が${to === null ? '引き継ぎ先を決めずに' : ` ${to} へ`}タスクを引き渡しました: ${summary}`,
  boardEmpty: () => '表示するものがありません。タスクの作成方法は "sekisho admin create-task --help" をご覧ください。',
  importNoJson: () => 'JSON として読み取れません',
  importRepeated: ({ id, line }) => `「${id}」は ${line} 行目に既にあります`,
  instructionAuthenticated: () => 'get_my_task を呼び出してタスク詳細を取得してください',
  instructionTask: ({ run_id }) =>
    run_id === undefined
      ? 'タスクを完了したら report_completed を呼び出してください'
      : `このタスクはプロセス (${run_id}) に従います。不足は state_gate.get_state で確認し、証拠は state_gate.emit_event で提出してください。タスクを完了したら report_completed を呼び出してください`,
  instructionHandoff: ({ handoff_id, agent_id }) =>
    `このタスクはあなたに引き継がれました。accept_handoff を handoff_id「${handoff_id}」、agent_id「${agent_id}」で呼び出してから作業を続けてください。タスクを完了したら report_completed を呼び出してください`,
  instructionNoTask: () => '現在割り当てられたタスクはありません',
  instructionCompleted: () => 'タスクが完了しました。セッションを終了します。',
  instructionBlocked: () => 'タスクはブロックされました。セッションを終了します。',
  instructionLoggedOut: () => 'セッションを終了します。',
  instructionHandedOff: ({ to }) =>
    `引き継ぎは${to === undefined ? '次の担当者' : `「${to}」`}の受領待ちです。タスクの完了は報告せず、save_context で状況を保存してから logout を呼び出してください`,
  instructionAccepted: () => 'タスクの担当になりました。タスクを完了したら report_completed を呼び出してください',
  instructionPasskey: ({ agentId }) =>
    `パスキーは一度しか表示されません。今すぐプロジェクトの外に保管してください。このマシンの Runner で使う場合は、sekisho admin rotate-passkey --agent-id ${agentId} --keep が新しいパスキーを Runner のために保存します。`,
  instructionKept: ({ file }) => `パスキーを ${file} に保存しました。このマシンの Runner はここから読み取ります。`,
  runnerNoProgram: ({ aiType }) => `ai_type「${aiType}」のプログラムがありません。runner.commands で設定してください`,
  runnerNoPasskey: ({ agentId }) =>
    `「${agentId}」のパスキーがありません。sekisho admin rotate-passkey --agent-id ${agentId} --keep で新しいパスキーを保存できます`,
  runnerTitle: ({ seconds, most }) =>
    `sekisho runner: ${seconds} 秒ごとに確認、同時に最大 ${most} 件。Ctrl-C で Runner と起動したエージェントを終了します。`,
  waitsForTree: () => 'このタスクのツリーでは、別のエージェントがまだ作業しています',
  attemptsSpent: ({ attempts, why }) => `${attempts} 回失敗しました${why === null ? '' : `。最後の原因: ${why}`}`,
  instructionReported: () =>
    '報告を記録しました。あとは人の回答待ちで、承認されるとタスクは自動的に完了します。セッションを終了します。',
  runnerStuck: ({ blocked, behind, unassigned }) =>
    [
      ...(blocked > 0 ? [`ブロック中 ${blocked} 件`] : []),
      ...(behind > 0 ? [`その完了待ち ${behind} 件`] : []),
      ...(unassigned > 0
        ? [`担当者のいない着手可能なタスク ${unassigned} 件 (割り当てるか、プロジェクトで pool を有効にしてください)`]
        : []),
    ].join('、') + ': sekisho tasks',
  runnerRoom: () => '空きを待っています',
  runnerOther: () => '別の場所で起動されています',
  runnerRests: ({ failures, time }) => `失敗 ${failures} 回のため ${time} まで休止します`,
  runnerEvent: ({ event, who, what }) =>
    ({
      started: `${who} を起動しました`,
      ended: `${who} が終わりました（${what}）`,
      waits: `${who} は待っています（${what}）`,
      idle: what === '' ? '起動するものはありません' : `進められるものがありません（${what}）`,
      failed: `この回は失敗しました（${what}）`,
      stopped: `停止しました（${what}）`,
    })[event] ?? event,
  runnerWho: ({ agent, project, task }) => `${project} の ${agent}${task === undefined ? '' : `（タスク「${task}」）`}`,
  runnerPrompt: ({ agentId, projectId, folder }) =>
    [
      `あなたはプロジェクト ${projectId} のエージェント ${agentId} です。作業ディレクトリは ${folder} です。`,
      '',
      `1. MCP サーバー sekisho の authenticate を agent_id「${agentId}」、project_id「${projectId}」で呼び出してください。passkey は省略してください (サーバーが持っています)。`,
      '2. 応答の system_prompt と instruction に従ってください。get_my_task でタスク詳細を取得できます。',
      '3. 完了したら session_token を付けて report_completed を呼び出し、終了してください。',
      '',
    ].join('\n'),
  promptStart: ({ title, task_id, agent }) => `# ${title}\n\nあなたは ${agent} です。タスク: ${task_id}`,
  promptDescription: () => '内容',
  promptAcceptance: () => '完了の条件',
  promptProcess: ({ process_id, run_id, state }) =>
    `プロセス ${process_id} (${run_id}) に従います。現在の状態は「${state}」です。不足は state_gate.get_state で確認できます。`,
  promptContext: () => '現在の状況',
  promptHandoff: ({ from }) => `${from} からの引き継ぎ`,
  promptExecutions: () => '過去の作業の記録',
  promptNothing: () => 'まだ保存された内容はありません。',
  promptFinish: () => '進捗は save_context で保存し、完了したら report_completed を呼び出してください。',
  promptTemplate: ({ task_id, from, title }) =>
    [
      `「${title}」の引き継ぎを準備し、create_handoff を呼び出してください:`,
      '',
      `task_id: ${task_id}`,
      `from_agent_id: ${from}`,
      'to_agent_id: (次の担当者。未定なら省略)',
      'summary: (完了したこと、残っていること)',
      'context: (次の担当者が知るべきこと: 決定事項、ファイル、コマンド、注意点)',
      'recommendations: (次に行うことを順に)',
    ].join('\n'),
  promptSummary: ({ title, task_id, status }) => `# ${title}\n\nタスク ${task_id} (${status})`,
  field: ({ field }) =>
    ({ progress: '進捗', findings: '発見事項', blockers: '障害・ブロッカー', next_steps: '次のステップ' })[field],
};

/** By their English. `words.ts` accepts no other. */
export const words = {
  'success: its agent has reported; a person’s answer closes the task':
    'success: エージェントは報告済みで、人の回答によってタスクが完了します',
  'Attempts in a row that ended without a report': '報告なしに終わった連続の試行回数',
  'The commit of what was made in the task’s own tree': 'タスク専用のツリーで行った作業のコミット',
  'What agents wait for, and what is stuck.':
    'エージェントが何を待っているかを返します。担当者がいるのに作業されていないタスクとその理由、進められないタスクの数です。Runner の 4 番目の手順です。',
  'Tasks that a person must look at': '人が確認する必要のあるタスク',
  'Tasks that depend on them': 'それらに依存するタスク',
  'Ready tasks that no agent may take': '着手できるのに、引き受けられるエージェントがいないタスク',
  'Agents may take unassigned tasks':
    '担当者のいない着手可能なタスクを、プロジェクトのエージェントが引き受けられるようにします',
  'ID or number: 12': 'タスクの ID または番号 (12、#12、プロジェクト#12)',
  'Its number within the project': 'プロジェクト内での番号',
  'Guidance for starting a task: what to do, its progress and earlier executions.':
    'タスクを始めるときの案内です。すること、状況、過去の作業の記録を示します。',
  'The agent that starts it': '作業を始めるエージェント',
  'A template for handing a task over.': 'タスクを引き継ぐためのひな形です。',
  'The agent that hands it over': '引き継ぎ元のエージェント',
  'A summary of a task: its saved contexts and its latest hand-off.':
    'タスクのまとめです。保存されたコンテキストと最新の引き継ぎを示します。',
  'An agent and its projects.': 'エージェントとそのプロジェクトです。',
  'A project and its agents.': 'プロジェクトとそのエージェントです。',
  'A task with all its fields.': 'タスクの全内容を返します。',
  'The saved context of a task: progress, findings, blockers, next steps.':
    'タスクの進捗、分かったこと、障害、次にすることを返します。',
  'The latest hand-off of a task.': 'タスクの最新の引き継ぎです。',
  'One execution of a task: its times, agent, result and log file.':
    'タスクの作業の記録 1 件の時刻、担当、結果、ログの場所です。',
  'The executions of a task, newest first.': 'タスクの作業の記録を新しい順に示します。',
  'What authenticate returned': 'authenticate が返した値',
  'Save the passkey for a Runner on this machine instead of showing it':
    'パスキーを表示せず、このマシンの Runner のために保存します',
  'Which agent': 'エージェントの ID',
  'Which project': 'プロジェクトの ID',
  'letters, digits, "_", "-" and ".", at most 100': '使えるのは英数字、_、-、. だけで、100 文字以内です',
  'at most 64 KB': '64 KB 以内にしてください',
  'The agent whose live session works on it': '有効なセッションで作業しているエージェント',
  'Accept a hand-off. The task is then assigned to the accepting agent.':
    '引き継ぎを受け取ります。以後、受け取ったエージェントがタスクの担当になります。',
  'Which hand-off': '引き継ぎの ID',
  'Assign an agent to a project, so that it can authenticate there and the Runner can start it.':
    'エージェントをプロジェクトに割り当てます。そこで認証できるようになり、Runner が起動できるようになります。',
  'Assign a task to an agent.': 'タスクをエージェントに割り当てます。',
  'An agent that is assigned to the project': 'プロジェクトに割り当てられたエージェント',
  'Open an agent’s session in a project: returns session_token, system_prompt and what to do next. Call it first.':
    'プロジェクトでエージェントのセッションを開きます。session_token、エージェントの system_prompt、次にすることを返します。最初に呼び出してください。',
  'The agent’s passkey; left out where the server has AGENT_PASSKEY':
    'エージェントのパスキー (サーバーに AGENT_PASSKEY があれば省略)',
  'Create an agent. Its passkey is only in this answer, unless you keep it for a Runner.':
    'エージェントを作成します。パスキーは、Runner のために保存しない限り、この応答にだけ表示されます。',
  'Display name': '表示名',
  'Its agent CLI: claude, codex, gemini … or a key of runner.commands':
    'エージェント CLI の種類 (claude、codex、gemini など、または runner.commands のキー)',
  'Its role and way of working; it gets this when it authenticates': '役割と働き方。認証のときに渡されます',
  'Its role, in a word or two': 'ロール (一言で)',
  'Its id; a new one if omitted': 'ID (省略すると新しく作られます)',
  'Hand a task over to another agent, or to any agent. The task is reassigned when an agent accepts it.':
    'タスクを別のエージェント、または誰でも受け取れる形で引き継ぎます。相手が受け取ると担当が移ります。',
  'The agent that continues; if omitted, any agent can accept': '引き継ぎ先のエージェント (省略すると誰でも)',
  'must not be empty': '空にできません',
  'What was done and what remains': '終わったことと残っていること',
  'What the next agent must know': '次の担当が知るべきこと',
  'What to do next': '次にすること',
  'Create a project. It is active immediately.': 'プロジェクトを作成します。すぐに有効になります。',
  'Working directory of its agents; a relative path starts at this project’s folder':
    'エージェントの作業フォルダー (相対パスはこのプロジェクトから)',
  'Start an assigned todo automatically when its last dependency is done':
    '依存するタスクがすべて終わると、割り当て済みの todo を自動で開始',
  'Create a task. It starts in the backlog; update_task_status moves it.':
    'タスクを作成します。最初は backlog に入ります。先に進めるには update_task_status を使います。',
  'Create many tasks at once, all or none. With keys they can depend on each other.':
    '複数のタスクをまとめて作成します。すべて作成されるか、1 つも作成されないかです。キーを使うと互いに依存させられます。',
  'A name for it in depends_on and parent_id of the other tasks in this call':
    'この呼び出しの中で、depends_on と parent_id から指すための名前',
  'The tasks, in the order of later lists': 'タスク (後で一覧される順)',
  'Delete a task with its context, hand-offs and executions. Its history stays in the journal.':
    'タスクを、コンテキスト、引き継ぎ、作業の記録とともに削除します。履歴はジャーナルに残ります。',
  'Delete it even if other tasks depend on it; that removes the dependencies':
    'ほかのタスクが依存していても削除 (依存はなくなります)',
  'A task with its possible moves, its run, its subtasks, its hand-offs and the graph of its dependencies.':
    'タスクと関連するものすべてです。移れる状態、run、子タスク、引き継ぎ、前後関係の図を返します。',
  'The states that it can move to': 'ここから移れる状態',
  'At most 100': '最大 100 件',
  'Newest first, at most 100': '新しい順、最大 100 件',
  'The task that depends on the other': 'もう一方を待っています',
  'True if tasks are left out': '続きがあります',
  'An agent’s name, role, kind and projects.': 'エージェントの名前、ロール、種類、プロジェクトを返します。',
  'One execution: its times, agent, result and log file.': '作業の記録 1 件の時刻、担当、結果、ログの場所を返します。',
  'Which execution': '作業の記録の ID',
  'The task that this session works on, with its context, hand-off and process. Starts the next task if there is none.':
    'このセッションが担当するタスクを、コンテキスト、引き継ぎ、プロセスとともに返します。なければ次のタスクを開始します。',
  'Pending hand-offs, oldest first: those to one agent and those to any agent.':
    'まだ受け取られていない引き継ぎを古い順に返します。エージェント宛てのものと、誰でも受け取れるものです。',
  'Only those that this agent can accept; all if omitted': 'このエージェントが受け取れるもの (省略するとすべて)',
  'Deprecated: use get_my_task. The tasks of this session’s agent in its project that are in progress or to do.':
    '非推奨です。get_my_task を使ってください。このセッションのエージェントが担当する、作業中または todo のタスクを返します。',
  'A project with its agents and how many tasks it has in each state.':
    'プロジェクトと、そのエージェント、状態ごとのタスク数を返します。',
  'Every version, newest first': 'すべての版 (新しい順)',
  'Every change of a task, oldest first: when, by whom, and each field before and after.':
    'タスクの変更を古い順に返します。時刻、変更した人、各項目の前後の値が分かります。',
  'Everything that happened for a task, oldest first: the task, its hand-offs, its run, its executions, the agents started for them and their upstream calls.':
    'タスクについて起きたことを古い順に返します。タスク、引き継ぎ、run、作業の記録、起動されたエージェント、上流サーバーの呼び出しです。',
  'Whether this server is up: its version and its time. The Runner’s first step.':
    'サーバーが動いているか、そのバージョンと時刻を返します。Runner の最初の手順です。',
  'The active projects, each with the active agents assigned to it. The Runner’s second step.':
    '有効なプロジェクトと、割り当てられた有効なエージェントを返します。Runner の 2 番目の手順です。',
  'How many': '件数',
  'One column of the board: the tasks in a state, most urgent first (closed: latest first), with their open dependencies, run and possible moves.':
    'ボードの 1 列です。その状態のタスクを緊急なものから (終わったものは新しい順に)、待っているもの、run の状態、移れる状態とともに返します。',
  'The state of the column': '列の状態',
  'Only of this project': 'このプロジェクトだけ',
  'Only of this agent': 'このエージェントだけ',
  'Only with this label': 'このラベルのものだけ',
  'Only with this text in the title or description': '題名か説明にこの語を含むものだけ',
  'Open tasks that must be closed before it can start': '開始の前に終わらせる必要のあるタスク',
  'Executions of tasks, newest first.': 'タスクの作業の記録を新しい順に一覧します。',
  'Only of this task': 'このタスクだけ',
  'The agents assigned to projects, each with its live session and task, the Runner that has claimed it, and its failures in a row.':
    'どのエージェントがどのプロジェクトで働いているかを返します。セッションと作業中のタスク、担当の Runner、続けて失敗した回数が分かります。',
  'The live session, if any': '有効な間',
  'Its agent in list_agents': 'list_agents と同じもの',
  'The Runner that has claimed the pair, if any': '組を担当している間',
  'Failures in a row': '連続した回数',
  'All projects, oldest first.': 'すべてのプロジェクトを古い順に一覧します。',
  'Only in this state': 'この状態のものだけ',
  'Only children of this task': 'このタスクの子だけ',
  'Only of this priority': 'この優先度のものだけ',
  'true: todo tasks that can start now; false: all others': 'true は何も待っていない todo のタスク、false はそれ以外',
  'Tasks filtered by project, agent, state or readiness, oldest first.':
    'タスクを、プロジェクト、エージェント、状態、今始められるかで絞り込み、古い順に一覧します。',
  'End the session. The task does not change.': 'セッションを終了します。タスクはそのままです。',
  'Move many tasks to one state, all or none, by the same rules as update_task_status.':
    '複数のタスクを同じ状態に移します。規則は update_task_status と同じです。すべて移るか、1 つも移らないかです。',
  'Which tasks': 'タスクの ID',
  'The state to move to': '移る先の状態',
  'The reason, for the journal': '理由 (ジャーナルに残ります)',
  'Close tasks whose process is not over; needs a reason': 'プロセスが終わっていないタスクも完了にします (理由が必要)',
  'The output of an execution, line by line, if its log is a file of this project. next_cursor continues.':
    '作業の出力を 1 行ずつ返します (ログがこのプロジェクトのファイルである場合)。next_cursor で続きを読めます。',
  'How many lines at most': '最大の行数',
  'The fleet agent that the log belongs to: read it with get_agent_log':
    'ログの持ち主の fleet エージェント (get_agent_log で読めます)',
  'Reopen a task that is done or cancelled. Its process, if it has one, restarts when the task starts.':
    '完了または中止したタスクを再開します。プロセスがあれば、タスクの開始時に最初からになります。',
  'success: the task is done; failed and blocked: the task is blocked':
    'success はタスクが完了、それ以外はブロック中になります',
  'What was done': '行ったこと',
  'What remains': '残っていること',
  'Report the end of the task and end the session. Refused if the task’s process is not over; the answer says what is missing.':
    'タスクの終了を報告し、セッションを終了します。タスクのプロセスが終わっていなければ、不足しているものを示して拒否します。',
  'Deprecated: use report_completed. Reports the end of an execution; the task does not change.':
    '非推奨です。report_completed を使ってください。実行の終了を報告します。タスクはそのままです。',
  'What report_execution_start returned': 'report_execution_start が返した ID',
  '0: completed, 1 to 127: failed, anything else: error': '0 は完了、1 から 127 は失敗、それ以外はエラー',
  'How long it took': 'かかった時間 (秒)',
  'Where its log is': 'ログの場所',
  'Deprecated: get_my_task records it automatically. Reports the start of a task’s execution.':
    '非推奨です。get_my_task が自動で記録します。タスクの作業の開始を報告します。',
  'Give an agent a new passkey. The old one and the agent’s sessions end immediately.':
    'エージェントに新しいパスキーを発行します。古いパスキーとセッションはすぐに無効になります。',
  'Save the progress of a task for the agent that continues it. Omitted fields keep their value.':
    'タスクの状況を、次の担当のために保存します。省略した項目は前のままです。',
  'What is finished so far': 'ここまでに終わったこと',
  'Findings so far': '分かったこと',
  'What blocks the task': '障害になっていること',
  'What comes next': '次にすること',
  'Activate or deactivate an agent. An inactive agent is not started, and its sessions end immediately.':
    'エージェントを有効または無効にします。無効の間は起動されず、セッションはすぐに終わります。',
  'Its new state': '新しい状態',
  'Activate or pause a project. Agents are started for active projects only; running agents can finish.':
    'プロジェクトを有効または休止にします。エージェントが起動されるのは active のプロジェクトだけです。作業中のエージェントは続けられます。',
  'Whether to start an instance of this agent for this project, and of which kind. The Runner’s third step; it claims nothing.':
    'このプロジェクトでこのエージェントを起動すべきかと、その種類を返します。Runner の 3 番目の手順です。タスクの確保はしません。',
  'Why it is not started although there is work: a person must act first':
    '作業があるのに起動しない理由 (先に人の操作が必要です)',
  'Remove an agent from a project. Its session there ends immediately; its tasks stay assigned to it.':
    'エージェントをプロジェクトから外します。そこでのセッションはすぐに終わります。タスクの割り当ては残ります。',
  'Change a project. Omitted fields keep their value.': 'プロジェクトを変更します。指定した項目だけが変わります。',
  'Move a task: backlog → todo | cancelled; todo → in_progress | backlog | cancelled; in_progress → done | blocked | todo; blocked → in_progress | cancelled.':
    'タスクの状態を移します。backlog → todo | cancelled、todo → in_progress | backlog | cancelled、in_progress → done | blocked | todo、blocked → in_progress | cancelled。',
  'A person may close a task whose process is not over; needs a reason':
    '人は、プロセスが終わっていないタスクも完了にできます (理由が必要)',
  'What to do, in one line': 'すること (1 行で)',
  'What to do, in detail': 'すること (詳しく)',
  'More urgent tasks start first': '優先度。緊急なものから始まります',
  'The assigned agent; null to unassign': '担当のエージェント (null で解除)',
  'Tasks that must be done before it can start': '先に終わらせるタスク',
  'A process of the gate, only before the task starts; null for none':
    'ゲートのプロセス (開始前だけ変更できます。null で解除)',
  'Acceptance criteria': '完了の条件',
  'The parent task; null for none': '親のタスク (null で解除)',
  'Labels to find it by': '検索用のラベル',
  'Refuse the change if the task has another revision': 'タスクのリビジョンがこれと異なれば拒否',
  'Close it although its process is not over; needs a reason': 'プロセスが終わっていなくても完了にします (理由が必要)',
  'Change a task. Omitted fields keep their value; edits of different fields do not undo each other.':
    'タスクを変更します。指定した項目だけが変わります。別々の項目の変更は、互いに打ち消しません。',
  'other users can read it; run chmod 600 on it': '所有者以外も読めます。chmod 600 を実行してください',
  'it does not exist': '存在しません',
  'it must map agent ids to passkeys': 'エージェントの ID とパスキーの組を書いてください',
  'it is not valid YAML': 'YAML として読み取れません',
  'A process of the gate; the task can be done when its run is over':
    'ゲートのプロセス。その run が終わるとタスクを完了にできます',
  'The parent task': '親のタスク',
} as const;
