import type { SomeTexts } from '../../texts.ts';

const list = (items: readonly string[]) => items.join(', ') || 'なし';

export const work = {
  problems: {
    INVALID_CREDENTIALS: () => 'Invalid agent_id or passkey',
    ALREADY_RUNNING: () => 'Agent instance already running for this project',
    INVALID_SESSION: () => 'Invalid or expired session_token',
    INVALID_SESSION_OR_TASK: () => 'Invalid session_token or task_id',
    INVALID_EXECUTION_OR_SESSION: () => 'Invalid execution_id or session_token',
    PROJECT_NOT_FOUND: ({ project_id }) =>
      `プロジェクト「${project_id}」は存在しません。list_projects で一覧を確認できます。`,
    TASK_NOT_FOUND: ({ task_id }) => `タスク「${task_id}」は存在しません。list_tasks で一覧を確認できます。`,
    HANDOFF_NOT_FOUND: ({ handoff_id }) =>
      `ハンドオフ「${handoff_id}」は存在しません。get_pending_handoffs で未処理のものを確認できます。`,
    EXECUTION_NOT_FOUND: ({ execution_id }) =>
      `実行ログ「${execution_id}」は存在しません。list_execution_logs で一覧を確認できます。`,
    ID_TAKEN: ({ id }) => `「${id}」は既に使われています。別の id を指定するか、省略してください。`,
    NOT_ASSIGNED: ({ agent_id, project_id }) =>
      `エージェント「${agent_id}」はプロジェクト「${project_id}」に割り当てられていません。`,
    INVALID_TRANSITION: ({ task_id, from, to, possible }) =>
      `タスク「${task_id}」は ${from} のため ${to} に変更できません。可能な変更先: ${list(possible)}。`,
    DEPENDENCIES_OPEN: ({ task_id, open }) =>
      `タスク「${task_id}」は、次のタスクが完了するまで開始できません: ${list(open)}。`,
    DEPENDENCY_CYCLE: ({ task_id, other }) =>
      `タスク「${task_id}」を「${other}」の後にすることはできません。「${other}」がその後に続くためです。`,
    TASK_CLAIMED: ({ task_id, agent_id }) =>
      `エージェント「${agent_id}」がタスク「${task_id}」を作業中です。セッションの終了を待つか、引き継ぎを依頼してください。`,
    TASK_NOT_YOURS: ({ task_id, agent_id, assignee_id }) =>
      assignee_id === null
        ? `タスク「${task_id}」は「${agent_id}」に割り当てられていません。先にハンドオフを受領するか、logout を呼び出してください。`
        : `タスク「${task_id}」の担当は「${agent_id}」ではなく「${assignee_id}」です。報告できるのは担当者だけです。先にハンドオフを受領するか、logout を呼び出してください。`,
    TASK_STARTED: ({ task_id }) => `タスク「${task_id}」は開始済みのため、プロセスを変更できません。`,
    TASK_CLOSED: ({ task_id, status }) => `タスク「${task_id}」は ${status} のため、引き継ぐものがありません。`,
    TASK_CONFLICT: ({ task_id, expected, current }) =>
      expected === undefined
        ? `タスク「${task_id}」は他から変更され続けています（revision ${current}）。get_task で読み直してから再試行してください。`
        : `タスク「${task_id}」の revision は ${expected} ではなく ${current} です。get_task で読み直してから再試行してください。`,
    PROCESS_INCOMPLETE: ({ task_id, process_id, run_id, state, missing, events }) =>
      run_id === undefined
        ? `タスク「${task_id}」はプロセス「${process_id}」に従いますが、run が開始されていません。先に in_progress にしてください。`
        : `タスク「${task_id}」は完了していません。プロセス「${process_id}」の ${run_id} は状態「${state}」です。` +
          `${missing.length > 0 ? `不足: ${missing.join('; ')}。` : ''}state_gate.emit_event（${list(events)}）で証拠を提出してから、再度報告してください。`,
    HANDOFF_NOT_YOURS: ({ handoff_id, agent_id }) => `ハンドオフ「${handoff_id}」は「${agent_id}」宛てではありません。`,
    HANDOFF_CLOSED: ({ handoff_id, by }) =>
      by === undefined
        ? `ハンドオフ「${handoff_id}」は既に取り下げられています。`
        : `ハンドオフ「${handoff_id}」は既に「${by}」が受領しています。`,
    IMPORT_INVALID: ({ line, reason }) => `${line} 行目をインポートできません: ${reason}`,
  },
  refusals: {
    identity: (why) => `この接続は「${why.own}」であり、「${why.named}」として操作することはできません。`,
    unproven: (why) =>
      `この接続は本人確認が済んでいないため${why.agent === undefined ? '' : `、「${why.agent}」として`}操作できません（identity: required）。先に authenticate を呼び出してください。`,
    force: () => 'プロセスが完了していないタスクを完了にできるのは人だけです。',
  },
  phrases: {
    'work.instruction.authenticated': () => 'get_my_task を呼び出してタスク詳細を取得してください',
    'work.instruction.task': ({ run_id }) =>
      run_id === undefined
        ? 'タスクを完了したら report_completed を呼び出してください'
        : `このタスクはプロセス（${run_id}）に従います。不足は state_gate.get_state で確認し、証拠は state_gate.emit_event で提出してください。タスクを完了したら report_completed を呼び出してください`,
    'work.instruction.handoff': ({ handoff_id, agent_id }) =>
      `このタスクはあなたに引き継がれました。accept_handoff を handoff_id「${handoff_id}」、agent_id「${agent_id}」で呼び出してから作業を続けてください。タスクを完了したら report_completed を呼び出してください`,
    'work.instruction.no_task': () => '現在割り当てられたタスクはありません',
    'work.instruction.completed': () => 'タスクが完了しました。セッションを終了します。',
    'work.instruction.blocked': () => 'タスクはブロックされました。セッションを終了します。',
    'work.instruction.logged_out': () => 'セッションを終了します。',
    'work.instruction.handed_off': ({ to }) =>
      `ハンドオフは${to === undefined ? '次の担当者' : `「${to}」`}の受領待ちです。タスクの完了は報告せず、save_context で状況を保存してから logout を呼び出してください`,
    'work.instruction.accepted': () =>
      'タスクの担当になりました。タスクを完了したら report_completed を呼び出してください',
    'work.instruction.passkey': () => 'パスキーは一度しか表示されません。今すぐ保管してください。',
    'work.runner.prompt': ({ agentId, projectId, folder }) =>
      [
        `あなたはプロジェクト ${projectId} のエージェント ${agentId} です。作業ディレクトリは ${folder} です。`,
        '',
        `1. MCP サーバー sekisho の authenticate を agent_id「${agentId}」、project_id「${projectId}」で呼び出してください。passkey は省略してください（サーバーが持っています）。`,
        '2. 応答の system_prompt と instruction に従ってください。get_my_task でタスク詳細を取得できます。',
        '3. 完了したら session_token を付けて report_completed を呼び出し、終了してください。',
        '',
      ].join('\n'),
    'work.prompt.start': ({ title, task_id, agent }) => `# ${title}\n\nあなたは ${agent} です。タスク: ${task_id}`,
    'work.prompt.description': () => '内容',
    'work.prompt.acceptance': () => '完了の条件',
    'work.prompt.process': ({ process_id, run_id, state }) =>
      `プロセス ${process_id}（${run_id}）に従います。現在の状態は「${state}」です。不足は state_gate.get_state で確認できます。`,
    'work.prompt.context': () => '現在の状況',
    'work.prompt.handoff': ({ from }) => `${from} からの引き継ぎ`,
    'work.prompt.executions': () => '過去の実行',
    'work.prompt.nothing': () => 'まだ記録はありません。',
    'work.prompt.finish': () => '進捗は save_context で保存し、完了したら report_completed を呼び出してください。',
    'work.prompt.template': ({ task_id, from, title }) =>
      [
        `「${title}」の引き継ぎを準備し、create_handoff を呼び出してください:`,
        '',
        `task_id: ${task_id}`,
        `from_agent_id: ${from}`,
        'to_agent_id: （次の担当者。未定なら省略）',
        'summary: （完了したこと、残っていること）',
        'context: （次の担当者が知るべきこと: 決定事項、ファイル、コマンド、注意点）',
        'recommendations: （次に行うことを順に）',
      ].join('\n'),
    'work.prompt.summary': ({ title, task_id, status }) => `# ${title}\n\nタスク ${task_id}（${status}）`,
    'work.field': ({ field }) =>
      ({ progress: '進捗', findings: '発見事項', blockers: '障害・ブロッカー', next_steps: '次のステップ' })[field],
  },
} satisfies SomeTexts;
