import { defineProblems, defineRefusals } from '../kernel/problem.ts';
import { definePhrases } from '../kernel/text/text.ts';
import type { Status } from './task/task.ts';

const listedEn = (items: readonly string[]) => items.join(', ') || 'none';
const listedJa = (items: readonly string[]) => items.join(', ') || 'なし';

export const problem = defineProblems({
  INVALID_CREDENTIALS: {
    en: () => 'Invalid agent_id or passkey',
    ja: () => 'Invalid agent_id or passkey',
  },
  ALREADY_RUNNING: {
    en: () => 'Agent instance already running for this project',
    ja: () => 'Agent instance already running for this project',
  },
  INVALID_SESSION: {
    en: () => 'Invalid or expired session_token',
    ja: () => 'Invalid or expired session_token',
  },
  INVALID_SESSION_OR_TASK: {
    en: () => 'Invalid session_token or task_id',
    ja: () => 'Invalid session_token or task_id',
  },
  INVALID_EXECUTION_OR_SESSION: {
    en: () => 'Invalid execution_id or session_token',
    ja: () => 'Invalid execution_id or session_token',
  },
  PROJECT_NOT_FOUND: {
    en: ({ project_id }: { project_id: string }) => `There is no project "${project_id}". list_projects shows them.`,
    ja: ({ project_id }) => `プロジェクト「${project_id}」は存在しません。list_projects で一覧を確認できます。`,
  },
  TASK_NOT_FOUND: {
    en: ({ task_id }: { task_id: string }) => `There is no task "${task_id}". list_tasks shows them.`,
    ja: ({ task_id }) => `タスク「${task_id}」は存在しません。list_tasks で一覧を確認できます。`,
  },
  HANDOFF_NOT_FOUND: {
    en: ({ handoff_id }: { handoff_id: string }) =>
      `There is no hand-off "${handoff_id}". get_pending_handoffs shows the open ones.`,
    ja: ({ handoff_id }) =>
      `引き継ぎ「${handoff_id}」は存在しません。get_pending_handoffs で未処理のものを確認できます。`,
  },
  EXECUTION_NOT_FOUND: {
    en: ({ execution_id }: { execution_id: string }) =>
      `There is no execution "${execution_id}". list_execution_logs shows them.`,
    ja: ({ execution_id }) => `実行ログ「${execution_id}」は存在しません。list_execution_logs で一覧を確認できます。`,
  },
  EXECUTION_LOG_AWAY: {
    en: ({ path }: { path: string | null }) =>
      path === null
        ? 'The execution named no log.'
        : `The log "${path}" is no file of this project on this machine. Read it where the execution ran.`,
    ja: ({ path }) =>
      path === null
        ? 'この実行にはログの場所が記録されていません。'
        : `ログ「${path}」は、このマシンにあるこのプロジェクトのファイルではありません。実行したマシンで確認してください。`,
  },
  ID_TAKEN: {
    en: ({ id }: { id: string }) => `"${id}" is taken. Choose another id, or leave it out.`,
    ja: ({ id }) => `「${id}」は既に使われています。別の id を指定するか、省略してください。`,
  },
  FOLDER_TAKEN: {
    en: ({ folder, database }: { folder: string; database: string }) =>
      `The folder ${folder} belongs to another store (${database}). Choose another working_directory, or make the project there: run the command in that folder.`,
    ja: ({ folder, database }) =>
      `フォルダー ${folder} は別のデータベース (${database}) に属しています。別の working_directory を指定するか、そのフォルダーでコマンドを実行してプロジェクトを作成してください。`,
  },
  NOT_ASSIGNED: {
    en: ({ agent_id, project_id }: { agent_id: string; project_id: string }) =>
      `The agent "${agent_id}" is not assigned to the project "${project_id}". assign_agent does that.`,
    ja: ({ agent_id, project_id }) =>
      `エージェント「${agent_id}」はプロジェクト「${project_id}」に割り当てられていません。assign_agent で割り当ててください。`,
  },
  INVALID_TRANSITION: {
    en: ({ task_id, from, to, possible }: { task_id: string; from: Status; to: Status; possible: readonly Status[] }) =>
      `Task "${task_id}" is ${from} and cannot become ${to}. From here: ${listedEn(possible)}.`,
    ja: ({ task_id, from, to, possible }) =>
      `タスク「${task_id}」は ${from} のため ${to} に変更できません。可能な変更先: ${listedJa(possible)}。`,
  },
  DEPENDENCIES_OPEN: {
    en: ({ task_id, open }: { task_id: string; open: readonly string[] }) =>
      `Task "${task_id}" cannot start before these are done: ${listedEn(open)}.`,
    ja: ({ task_id, open }) => `タスク「${task_id}」は、次のタスクが完了するまで開始できません: ${listedJa(open)}。`,
  },
  DEPENDENCY_CYCLE: {
    en: ({ task_id, other }: { task_id: string; other: string }) =>
      `Task "${task_id}" cannot come after "${other}", which comes after it.`,
    ja: ({ task_id, other }) =>
      `タスク「${task_id}」を「${other}」の後にすることはできません。「${other}」がその後に続くためです。`,
  },
  /** Others changed what tasks wait for, again and again. */
  PLAN_BUSY: {
    en: () => 'Others are changing these tasks all the time. Read them again, then try again.',
    ja: () => '他からタスクの変更が続いています。タスクを読み直してから、もう一度試してください。',
  },
  TASK_NEEDED: {
    en: ({ task_id, needed }: { task_id: string; needed: readonly string[] }) =>
      `Others depend on task "${task_id}": ${listedEn(needed)}. Change them first, or delete it with force.`,
    ja: ({ task_id, needed }) =>
      `タスク「${task_id}」には、依存しているタスクがあります: ${listedJa(needed)}。先にそれらを変更するか、force を付けて削除してください。`,
  },
  /** A live session of another agent works on it. */
  TASK_CLAIMED: {
    en: ({ task_id, agent_id }: { task_id: string; agent_id: string }) =>
      `The agent "${agent_id}" is working on task "${task_id}". Wait until its session ends, or ask it for a hand-off.`,
    ja: ({ task_id, agent_id }) =>
      `エージェント「${agent_id}」がタスク「${task_id}」を作業中です。セッションの終了を待つか、引き継ぎを依頼してください。`,
  },
  /** It was handed to somebody else meanwhile, or never was this agent's. */
  TASK_NOT_YOURS: {
    en: ({ task_id, agent_id, assignee_id }: { task_id: string; agent_id: string; assignee_id: string | null }) =>
      assignee_id === null
        ? `Task "${task_id}" is not assigned to "${agent_id}". Accept its hand-off first, or call logout.`
        : `Task "${task_id}" is assigned to "${assignee_id}", not to "${agent_id}": only the assignee can report it. Accept a hand-off first, or call logout.`,
    ja: ({ task_id, agent_id, assignee_id }) =>
      assignee_id === null
        ? `タスク「${task_id}」は「${agent_id}」に割り当てられていません。先に引き継ぎを受領するか、logout を呼び出してください。`
        : `タスク「${task_id}」の担当は「${agent_id}」ではなく「${assignee_id}」です。報告できるのは担当者だけです。先に引き継ぎを受領するか、logout を呼び出してください。`,
  },
  TASK_STARTED: {
    en: ({ task_id }: { task_id: string }) => `Task "${task_id}" has started; its process cannot be changed any more.`,
    ja: ({ task_id }) => `タスク「${task_id}」は開始済みのため、プロセスを変更できません。`,
  },
  TASK_CLOSED: {
    en: ({ task_id, status }: { task_id: string; status: string }) =>
      `Task "${task_id}" is ${status}; there is nothing to hand over.`,
    ja: ({ task_id, status }) => `タスク「${task_id}」は ${status} のため、引き継ぐものがありません。`,
  },
  TASK_CONFLICT: {
    en: ({ task_id, expected, current }: { task_id: string; expected: number | undefined; current: number }) =>
      expected === undefined
        ? `Task "${task_id}" was changed by others all the time (revision ${current}). Read it with get_task and try again.`
        : `Task "${task_id}" is at revision ${current}, not ${expected}. Read it with get_task, then try again.`,
    ja: ({ task_id, expected, current }) =>
      expected === undefined
        ? `タスク「${task_id}」は他から変更され続けています (revision ${current})。get_task で読み直してから再試行してください。`
        : `タスク「${task_id}」の revision は ${expected} ではなく ${current} です。get_task で読み直してから再試行してください。`,
  },
  PROCESS_INCOMPLETE: {
    en: ({
      task_id,
      process_id,
      run_id,
      state,
      missing,
      events,
    }: {
      task_id: string;
      process_id: string;
      run_id: string | undefined;
      state: string | undefined;
      missing: readonly string[];
      events: readonly string[];
    }) =>
      run_id === undefined
        ? `Task "${task_id}" follows the process "${process_id}", of which no run was started. Move the task to in_progress first.`
        : `Task "${task_id}" is not done: its run ${run_id} of "${process_id}" stands at "${state}". ` +
          `${missing.length > 0 ? `Missing: ${missing.join('; ')}. ` : ''}Submit the evidence with state_gate.emit_event (${listedEn(events)}), then report again.`,
    ja: ({ task_id, process_id, run_id, state, missing, events }) =>
      run_id === undefined
        ? `タスク「${task_id}」はプロセス「${process_id}」に従いますが、run が開始されていません。先に in_progress にしてください。`
        : `タスク「${task_id}」は完了していません。プロセス「${process_id}」の ${run_id} は状態「${state}」です。` +
          `${missing.length > 0 ? `不足: ${missing.join('; ')}。` : ''}state_gate.emit_event (${listedJa(events)}) で証拠を提出してから、再度報告してください。`,
  },
  HANDOFF_NOT_YOURS: {
    en: ({ handoff_id, agent_id }: { handoff_id: string; agent_id: string }) =>
      `The hand-off "${handoff_id}" is not addressed to "${agent_id}".`,
    ja: ({ handoff_id, agent_id }) => `引き継ぎ「${handoff_id}」は「${agent_id}」宛てではありません。`,
  },
  HANDOFF_TO_SELF: {
    en: ({ agent_id }: { agent_id: string }) =>
      `The agent "${agent_id}" cannot hand a task over to itself. Name another in to_agent_id, or leave it out.`,
    ja: ({ agent_id }) =>
      `エージェント「${agent_id}」は自分自身に引き継ぐことはできません。to_agent_id に別のエージェントを指定するか、省略してください。`,
  },
  HANDOFF_CLOSED: {
    en: ({ handoff_id, by }: { handoff_id: string; by: string | undefined }) =>
      by === undefined
        ? `The hand-off "${handoff_id}" is no longer open.`
        : `The hand-off "${handoff_id}" was already accepted by "${by}".`,
    ja: ({ handoff_id, by }) =>
      by === undefined
        ? `引き継ぎ「${handoff_id}」は既に取り下げられています。`
        : `引き継ぎ「${handoff_id}」は既に「${by}」が受領しています。`,
  },
  RUNNER_REFUSED: {
    en: ({ url, reason }: { url: string; reason: string }) =>
      `The server at ${url} does not answer this Runner: ${reason}. Is it up, and is its token in SEKISHO_RUNNER_TOKEN (or runner.token)?`,
    ja: ({ url, reason }) =>
      `${url} のサーバーがこの Runner に応答しません: ${reason}。サーバーが起動しているか、SEKISHO_RUNNER_TOKEN (または runner.token) にトークンがあるか確認してください。`,
  },
  IMPORT_INVALID: {
    en: ({ line, reason }: { line: number; reason: string }) => `Line ${line} cannot be imported: ${reason}`,
    ja: ({ line, reason }) => `${line} 行目をインポートできません: ${reason}`,
  },
});

export const refusal = defineRefusals({
  /** A connection with an identity acts only as itself. */
  identity: {
    en: (why: { own: string; named: string }) =>
      `This connection is "${why.own}" and acts only as itself, not as "${why.named}".`,
    ja: (why) => `この接続は「${why.own}」であり、「${why.named}」として操作することはできません。`,
  },
  /** `identity: required`, and this connection has proved nothing. */
  unproven: {
    en: (why: { agent: string | undefined }) =>
      `This connection has not proved who it is${why.agent === undefined ? '' : `, so it cannot act for "${why.agent}"`} (identity: required). Call authenticate first.`,
    ja: (why) =>
      `この接続は本人確認が済んでいないため${why.agent === undefined ? '' : `、「${why.agent}」として`}操作できません (identity: required)。先に authenticate を呼び出してください。`,
  },
  /** Only a person closes a task whose process is not over. */
  force: {
    en: () => 'Only a person may close a task whose process is not over.',
    ja: () => 'プロセスが完了していないタスクを完了にできるのは人だけです。',
  },
});

export const phrase = definePhrases({
  noticeBlocked: {
    en: ({ reason }: { reason: string }) => `The task is blocked${reason === '' ? '.' : `: ${reason}`}`,
    ja: ({ reason }) => `タスクがブロックされています${reason === '' ? '。' : `: ${reason}`}`,
  },
  /** Why a task is blocked. */
  runAborted: {
    en: ({ reason }: { reason: string }) => `run aborted: ${reason}`,
    ja: ({ reason }) => `run が中止されました: ${reason}`,
  },
  noticeHandoff: {
    en: ({ from, to, summary }: { from: string; to: string | null; summary: string }) =>
      `${from} hands the task over to ${to ?? 'whoever takes it'}: ${summary}`,
    ja: ({ from, to, summary }) =>
      `${from} が${to === null ? '引き継ぎ先を決めずに' : ` ${to} へ`}タスクを引き渡しました: ${summary}`,
  },
  boardEmpty: {
    en: () => 'There is nothing to show. "sekisho admin create-task --help" shows how to make a task.',
    ja: () => '表示するものがありません。タスクの作成方法は "sekisho admin create-task --help" をご覧ください。',
  },
  importNoJson: {
    en: () => 'it is no JSON',
    ja: () => 'JSON ではありません',
  },
  importRepeated: {
    en: ({ id, line }: { id: string; line: number }) => `"${id}" stands in line ${line} already`,
    ja: ({ id, line }) => `「${id}」は ${line} 行目に既にあります`,
  },
  instructionAuthenticated: {
    en: () => 'Call get_my_task to get the details of your task.',
    ja: () => 'get_my_task を呼び出してタスク詳細を取得してください',
  },
  instructionTask: {
    en: ({ run_id }: { run_id: string | undefined }) =>
      run_id === undefined
        ? 'When the task is finished, call report_completed.'
        : `This task follows a process (${run_id}): state_gate.get_state says what is missing, state_gate.emit_event submits the evidence. When the run is over, call report_completed.`,
    ja: ({ run_id }) =>
      run_id === undefined
        ? 'タスクを完了したら report_completed を呼び出してください'
        : `このタスクはプロセス (${run_id}) に従います。不足は state_gate.get_state で確認し、証拠は state_gate.emit_event で提出してください。タスクを完了したら report_completed を呼び出してください`,
  },
  instructionHandoff: {
    en: ({ handoff_id, agent_id }: { handoff_id: string; agent_id: string }) =>
      `This task is handed to you. Call accept_handoff with handoff_id "${handoff_id}" and agent_id "${agent_id}", then go on with it. When it is finished, call report_completed.`,
    ja: ({ handoff_id, agent_id }) =>
      `このタスクはあなたに引き継がれました。accept_handoff を handoff_id「${handoff_id}」、agent_id「${agent_id}」で呼び出してから作業を続けてください。タスクを完了したら report_completed を呼び出してください`,
  },
  instructionNoTask: {
    en: () => 'No task is assigned to you at the moment.',
    ja: () => '現在割り当てられたタスクはありません',
  },
  instructionCompleted: {
    en: () => 'The task is completed. The session has ended.',
    ja: () => 'タスクが完了しました。セッションを終了します。',
  },
  instructionBlocked: {
    en: () => 'The task is blocked. The session has ended.',
    ja: () => 'タスクはブロックされました。セッションを終了します。',
  },
  instructionLoggedOut: {
    en: () => 'The session has ended.',
    ja: () => 'セッションを終了します。',
  },
  instructionHandedOff: {
    en: ({ to }: { to: string | undefined }) =>
      `The hand-off waits for ${to ?? 'whoever takes it'}. Do not report the task as completed: save what you know with save_context, then call logout.`,
    ja: ({ to }) =>
      `引き継ぎは${to === undefined ? '次の担当者' : `「${to}」`}の受領待ちです。タスクの完了は報告せず、save_context で状況を保存してから logout を呼び出してください`,
  },
  instructionAccepted: {
    en: () => 'The task is yours now. When it is finished, call report_completed.',
    ja: () => 'タスクの担当になりました。タスクを完了したら report_completed を呼び出してください',
  },
  instructionPasskey: {
    en: ({ agentId }: { agentId: string }) =>
      `Keep the passkey now, outside of the project: it is shown only once. For a Runner on this machine, sekisho admin rotate-passkey --agent-id ${agentId} --keep saves a new one for it.`,
    ja: ({ agentId }) =>
      `パスキーは一度しか表示されません。今すぐプロジェクトの外に保管してください。このマシンの Runner で使う場合は、sekisho admin rotate-passkey --agent-id ${agentId} --keep が新しいパスキーを Runner のために保存します。`,
  },
  instructionKept: {
    en: ({ file }: { file: string }) => `The passkey is saved in ${file}, where a Runner on this machine finds it.`,
    ja: ({ file }) => `パスキーを ${file} に保存しました。このマシンの Runner はここから読み取ります。`,
  },
  runnerNoProgram: {
    en: ({ aiType }: { aiType: string }) => `no program for ai_type "${aiType}": set it in runner.commands`,
    ja: ({ aiType }) => `ai_type「${aiType}」のプログラムがありません。runner.commands で設定してください`,
  },
  runnerNoPasskey: {
    en: ({ agentId }: { agentId: string }) =>
      `no passkey of "${agentId}": sekisho admin rotate-passkey --agent-id ${agentId} --keep gives it a new one here`,
    ja: ({ agentId }) =>
      `「${agentId}」のパスキーがありません。sekisho admin rotate-passkey --agent-id ${agentId} --keep で新しいパスキーを保存できます`,
  },
  runnerTitle: {
    en: ({ seconds, most }: { seconds: number; most: number }) =>
      `sekisho runner: looks every ${seconds} s, at most ${most} at once. Ctrl-C ends it and what it started.`,
    ja: ({ seconds, most }) =>
      `sekisho runner: ${seconds} 秒ごとに確認、同時に最大 ${most} 件。Ctrl-C で Runner と起動したものを終了します。`,
  },
  runnerRoom: {
    en: () => 'waits until another has ended',
    ja: () => '空きを待っています',
  },
  runnerOther: {
    en: () => 'is started elsewhere',
    ja: () => '別の場所で起動されています',
  },
  runnerRests: {
    en: ({ failures, time }: { failures: number; time: string }) =>
      `rests until ${time} after ${failures} ${failures === 1 ? 'failure' : 'failures'}`,
    ja: ({ failures, time }) => `失敗 ${failures} 回のため ${time} まで休止します`,
  },
  /** `what`: the outcome, the reason or the number, where there is one. */
  runnerEvent: {
    en: ({ event, who, what }: { event: string; who: string; what: string }) =>
      ({
        started: `started ${who}`,
        ended: `${who} ended: ${what}`,
        waits: `${who} waits: ${what}`,
        idle: 'nothing is left to start',
        failed: `this round failed: ${what}`,
        stopped: `stopped ${what}`,
      })[event] ?? event,
    ja: ({ event, who, what }) =>
      ({
        started: `${who} を起動しました`,
        ended: `${who} が終わりました（${what}）`,
        waits: `${who} は待っています（${what}）`,
        idle: '起動するものはありません',
        failed: `この回は失敗しました（${what}）`,
        stopped: `停止しました（${what}）`,
      })[event] ?? event,
  },
  runnerWho: {
    en: ({ agent, project }: { agent: string; project: string }) => `${agent} in ${project}`,
    ja: ({ agent, project }) => `${project} の ${agent}`,
  },
  runnerPrompt: {
    en: ({ agentId, projectId, folder }: { agentId: string; projectId: string; folder: string }) =>
      [
        `You are the agent ${agentId} in the project ${projectId}. Your working directory is ${folder}.`,
        '',
        `1. Call the tool authenticate of the MCP server sekisho with agent_id "${agentId}" and project_id "${projectId}". Leave passkey out: the server has it.`,
        '2. Follow the system_prompt and the instruction of its answer: get_my_task tells you what to do.',
        '3. When you are finished, call report_completed with the session_token, then end.',
        '',
      ].join('\n'),
    ja: ({ agentId, projectId, folder }) =>
      [
        `あなたはプロジェクト ${projectId} のエージェント ${agentId} です。作業ディレクトリは ${folder} です。`,
        '',
        `1. MCP サーバー sekisho の authenticate を agent_id「${agentId}」、project_id「${projectId}」で呼び出してください。passkey は省略してください (サーバーが持っています)。`,
        '2. 応答の system_prompt と instruction に従ってください。get_my_task でタスク詳細を取得できます。',
        '3. 完了したら session_token を付けて report_completed を呼び出し、終了してください。',
        '',
      ].join('\n'),
  },
  promptStart: {
    en: ({ title, task_id, agent }: { title: string; task_id: string; agent: string }) =>
      `# ${title}\n\nYou are ${agent}. This is task ${task_id}.`,
    ja: ({ title, task_id, agent }) => `# ${title}\n\nあなたは ${agent} です。タスク: ${task_id}`,
  },
  promptDescription: {
    en: () => 'What to do',
    ja: () => '内容',
  },
  promptAcceptance: {
    en: () => 'It is done when',
    ja: () => '完了の条件',
  },
  promptProcess: {
    en: ({ process_id, run_id, state }: { process_id: string; run_id: string; state: string }) =>
      `It follows the process ${process_id} (${run_id}), which stands at "${state}". state_gate.get_state says what is missing.`,
    ja: ({ process_id, run_id, state }) =>
      `プロセス ${process_id} (${run_id}) に従います。現在の状態は「${state}」です。不足は state_gate.get_state で確認できます。`,
  },
  promptContext: {
    en: () => 'Where it stands',
    ja: () => '現在の状況',
  },
  promptHandoff: {
    en: ({ from }: { from: string }) => `Handed over by ${from}`,
    ja: ({ from }) => `${from} からの引き継ぎ`,
  },
  promptExecutions: {
    en: () => 'Earlier executions',
    ja: () => '過去の実行',
  },
  promptNothing: {
    en: () => 'Nothing has been noted yet.',
    ja: () => 'まだ記録はありません。',
  },
  promptFinish: {
    en: () => 'Note your progress with save_context. When it is finished, call report_completed.',
    ja: () => '進捗は save_context で保存し、完了したら report_completed を呼び出してください。',
  },
  promptTemplate: {
    en: ({ task_id, from, title }: { task_id: string; from: string; title: string }) =>
      [
        `Prepare the hand-off of "${title}" and call create_handoff:`,
        '',
        `task_id: ${task_id}`,
        `from_agent_id: ${from}`,
        'to_agent_id: (whoever should go on; leave it out if nobody is meant)',
        'summary: (what is finished, what is not)',
        'context: (what the next one must know: decisions, files, commands, traps)',
        'recommendations: (what to do next, in order)',
      ].join('\n'),
    ja: ({ task_id, from, title }) =>
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
  },
  promptSummary: {
    en: ({ title, task_id, status }: { title: string; task_id: string; status: string }) =>
      `# ${title}\n\nTask ${task_id}, ${status}.`,
    ja: ({ title, task_id, status }) => `# ${title}\n\nタスク ${task_id} (${status})`,
  },
  field: {
    en: ({ field }: { field: 'progress' | 'findings' | 'blockers' | 'next_steps' }) =>
      ({ progress: 'Progress', findings: 'Findings', blockers: 'Blockers', next_steps: 'Next steps' })[field],
    ja: ({ field }) =>
      ({ progress: '進捗', findings: '発見事項', blockers: '障害・ブロッカー', next_steps: '次のステップ' })[field],
  },
});
