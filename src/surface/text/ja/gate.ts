import type { SomeTexts } from '../../texts.ts';

const list = (items: readonly string[]) => items.join(', ') || 'なし';

export const gate = {
  problems: {
    RUN_NOT_FOUND: ({ run_id }) =>
      run_id === undefined
        ? 'このプロジェクトに現在の run がありません。state_gate.create_run で開始するか、run_id を指定してください。'
        : `run「${run_id}」は存在しません。state_gate.list_runs で一覧を確認できます。`,
    PROCESS_NOT_FOUND: ({ process_id, known, broken }) =>
      `プロセス「${process_id}」は存在しません。利用可能: ${list(known)}。${broken.length > 0 ? `壊れた定義ファイル: ${list(broken)} (sekisho gate lint で詳細を確認)` : ''}`,
    PROCESS_INVALID: ({ process_id, findings }) =>
      `「${process_id}」の定義に ${findings.length} 件の誤りがあります: ${findings
        .slice(0, 3)
        .map((one) => `${one.file}:${one.line}:${one.column} ${one.message}`)
        .join(' ')} すべては sekisho gate lint で確認できます。`,
    INVALID_EVENT: ({ event, state, legal_in, possible }) =>
      state === undefined
        ? `プロセスにイベント「${event}」はありません。現在発行可能: ${list(possible)}。`
        : `状態「${state}」では「${event}」を発行できません${legal_in.length > 0 ? `（${list(legal_in)} 状態でのみ発行可能）` : ''}。現在発行可能: ${list(possible)}。`,
    INVALID_PAYLOAD: ({ errors }) =>
      `リクエストが正しくありません。${errors.map((one) => `${one.path}: ${one.message}`).join('; ')}`,
    REVISION_CONFLICT: ({ expected, current }) => `Expected revision ${expected}, but current is ${current}`,
    GUARD_FAILED: () => 'Guard conditions not satisfied',
  },
  refusals: {
    event: (why) =>
      ({
        event: `ロール「${why.role}」はイベント「${why.event}」を発行できません。許可されたロールの人に依頼してください。`,
        role: `このプロセスではロール「${why.role}」に「${why.event}」の発行が許可されていません。`,
        approve: `ロール「${why.role}」には承認権限 (can_approve) がありません。レビュー担当者に依頼してください: sekisho admin approve`,
        reject: `ロール「${why.role}」には却下権限 (can_reject) がありません。レビュー担当者に依頼してください: sekisho admin reject`,
        transition: `現在の状態では、ロール「${why.role}」が「${why.event}」で進める遷移がありません。`,
      })[why.by],
    tool: (why) =>
      `${why.process} の状態「${why.state}」(${why.run_id}) では ${why.tool} ${why.ask ? 'の実行に人の確認が必要です' : 'は許可されていません'}。${
        why.opens.length > 0 ? `先へ進むには次のイベントを発行してください: ${list(why.opens)}。` : ''
      }不足しているものは state_gate.get_state で確認できます。`,
    person: (why) => `これは人だけが行えます: ${why.what}`,
  },
  phrases: {
    'guard.artifact.missing': ({ type }) => `成果物 '${type}' が未提出 (現在: 0, 必要: 1)`,
    'guard.artifact.few': ({ type, current, required }) =>
      `成果物 '${type}' の件数が不足 (現在: ${current}, 必要: ${required})`,
    'guard.context': ({ variable, condition, current, required }) =>
      `context.${variable} が条件 ${condition} を満たしていません (現在: ${current}${required === '' ? '' : `, 必要: ${required}`})`,
    'guard.approval': ({ role, current, required, own }) =>
      `承認が不足${role === '*' ? '' : ` (ロール: ${role})`}${own > 0 ? '。自分が提出した証拠は承認できません' : ''} (現在: ${current}, 必要: ${required})`,
    'guard.file.missing': ({ paths }) => `ファイルがありません: ${paths}`,
    'guard.file.changed': ({ path }) => `${path} が提出時の内容と異なります。再提出してください`,
    'guard.schema': ({ path, errors }) => `${path} がスキーマに適合しません: ${errors}`,
    'guard.expression': ({ expression, outcome }) => `${expression} (現在: ${outcome}, 必要: true)`,
    'guard.any': ({ reasons }) => `次のいずれも満たしていません: ${reasons}`,
    'guard.not': ({ guard }) => `${guard} が成立していますが、成立してはいけません`,
    'guard.command.untrusted': ({ command }) =>
      `「${command}」は実行できません。人がこの定義を信頼する必要があります (sekisho trust)`,
    'guard.command.pending': ({ command }) => `「${command}」はイベント発行時に実行されます`,
    'guard.command.waiting': ({ guards }) => `次の条件が未充足のため、まだ実行されていません: ${guards}`,
    'guard.command.failed': ({ command, outcome, output }) =>
      `「${command}」が失敗: ${outcome}${output === '' ? '' : `\n${output}`}`,
    'guard.command.timeout': ({ ms }) => `${ms} ミリ秒以内に終了しませんでした`,
    'guard.command.exit': ({ current, required }) => `終了コード (現在: ${current}, 必要: ${required})`,
    'guard.description': ({ guard, type }) => `${type} ガード ${guard}`,
    'event.wrong_state': ({ states }) =>
      states.length === 0
        ? 'このイベントの遷移はありません'
        : `現在の状態では発行できません（${list(states)} 状態でのみ発行可能）`,
    'event.wrong_role': ({ role }) => `ロール「${role}」は発行できません`,
    'artifact.fault': ({ path, fault }) =>
      ({
        outside: `${path} はプロジェクトの外にあります`,
        missing: `${path} が存在しません`,
        not_a_file: `${path} は通常のファイルではありません`,
        unreadable: `${path} を読み取れません`,
      })[fault],
    'payload.too_large': ({ bytes, limit }) =>
      `ペイロードは ${bytes} バイトです (上限 ${limit})。ファイルを成果物として提出してください`,
    'payload.key_reused': ({ key }) => `キー「${key}」は別のリクエストで使用済みです。新しいキーを使ってください`,
    'conflict.next': () => 'get_state で再取得し、その revision と新しい idempotency_key で再試行してください。',
    'guard.next': () =>
      'missing_guards が示すもの (ファイルは artifact_paths) を用意し、新しい idempotency_key で再発行してください。',
  },
} satisfies SomeTexts;
