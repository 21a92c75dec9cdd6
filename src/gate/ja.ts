import type { Japanese } from '../kernel/text/text.ts';
import { listJapanese } from '../kernel/text/list.ts';
import type { english as phraseEnglish } from './phrase.ts';
import type { englishProblem as problemEnglish, englishRefusal as refusalEnglish } from './problem.ts';

export const phrase: Japanese<typeof phraseEnglish> = {
  introduction: ({ getState, emitEvent }) =>
    `Sekisho はこのプロジェクトの関所です。最初に ${getState} を呼ぶと、現在の状態、足りないもの、送れるイベントが分かります。証拠は ${emitEvent} で提出し、遷移はゲートが決めます。現在の状態で許可されていないツールは拒否されます。`,
  bindsBy: ({ reason }) =>
    ({
      task: '作業中のタスクの run',
      client: 'このクライアントが開始したか、その下で起動された',
      tree: 'この作業ツリーの run',
      checkout: 'メインのチェックアウトの run',
      guest: 'ほかに run がないため (定義はまだ確認されていません)',
    })[reason],
  bindsAlone: ({ run_id }) => `ここのエージェントは ${run_id} に従います。`,
  bindsBeside: ({ run_id, others }) =>
    `${run_id} は ${listJapanese(others)} とともに適用されます。どちらかが拒否したものは拒否されます。不要になった run は、人が sekisho abort <run> で終わらせます。`,
  bindsNot: ({ run_id, others }) =>
    `ここで適用されるのは ${listJapanese(others)} で、${run_id} ではありません。人が sekisho gate use ${run_id} で切り替えるか、sekisho abort ${others[0] ?? '<run>'} で終わらせます。`,
  guardArtifactMissing: ({ type }) => `成果物 '${type}' が未提出`,
  guardArtifactFew: ({ type, current, required }) =>
    `成果物 '${type}' の件数が不足 (現在: ${current}, 必要: ${required})`,
  guardArtifactPoor: ({ path, min, headings }) =>
    `${path} は数えられません: ${[...(min === undefined ? [] : [`${min} バイト未満です`]), ...headings.map((one) => `「${one}」の行がありません`)].join('、')}`,
  guardContext: ({ variable, condition, current, required }) =>
    `context.${variable} が条件 ${condition} を満たしていません (現在: ${current}${required === '' ? '' : `, 必要: ${required}`})`,
  guardApproval: ({ role, current, required, own, command }) =>
    `承認が不足${role === '*' ? '' : ` (ロール: ${role})`}${own > 0 ? '。自分が提出した証拠は承認できません' : ''}${command === '' ? '' : `。人が ${command} で承認します`} (現在: ${current}, 必要: ${required})`,
  guardFileMissing: ({ paths }) => `ファイルがないか、空です: ${paths}`,
  guardFileChanged: ({ path }) => `${path} が提出時の内容と異なります。再提出してください`,
  guardSchema: ({ path, errors }) => `${path} がスキーマに適合しません: ${errors}`,
  guardExpression: ({ expression, outcome }) => `${expression} (現在: ${outcome}, 必要: true)`,
  treeUnrecorded: () => '状態の開始時に記録されていません',
  startUnrecorded: () => 'run の開始時に作業ツリーが記録されていません',
  expressionTooLong: ({ steps, most }) => `${steps} 段の計算になり得ます (上限は ${most})`,
  guardAny: ({ reasons }) => `次のいずれも満たしていません: ${reasons}`,
  guardNot: ({ guard }) => `${guard} が満たされていますが、満たされてはいけません`,
  guardCommandUntrusted: ({ command }) =>
    `「${command}」は実行できません。人がこの定義を信頼する必要があります (sekisho trust)`,
  neverTrusted: ({ file }) =>
    `${file} は現在の内容では信頼されていません。人が確認するまでコマンドのガードは実行されません (sekisho trust)`,
  lastTrusted: ({ file }) =>
    `${file} は信頼された後に変更されています。変更が信頼されるまで、信頼された内容が使われます (sekisho trust)`,
  guardCommandPending: ({ command }) => `「${command}」はイベント発行時に実行されます`,
  guardCommandUnset: () =>
    'テストコマンドが設定されていません。sekisho init --test-command "npm test" または .sekisho/config.yaml の test: [npm, test] で設定してください',
  guardCommandWaiting: ({ guards }) => `次の条件が未充足のため、まだ実行されていません: ${guards}`,
  guardCommandFailed: ({ command, outcome, output }) =>
    `「${command}」が失敗: ${outcome}${output === '' ? '' : `\n${output}`}`,
  guardCommandSandbox: ({ command, reason }) =>
    `${command} はサンドボックスの中で実行する必要がありますが、使えません: ${reason}`,
  guardInSandbox: ({ outcome, sandbox }) => `${outcome} (サンドボックス ${sandbox} の中)`,
  guardCommandTimeout: ({ ms }) => `${ms} ミリ秒以内に終了しませんでした`,
  guardCommandExit: ({ current, required }) => `終了コード (現在: ${current}, 必要: ${required})`,
  guardElsewhere: () =>
    'ファイルのある場所 (別のマシンまたはクローン) で判定されます。そこでデーモンまたは Runner が動いていれば数秒以内に、そうでなければ次のイベントの時です',
  guardUnplaced: () =>
    'まだどのエージェントもタスクを引き受けていません。引き受けたエージェントのフォルダーで判定されます',
  guardNoDifference: ({ fault }) => `run の開始後の変更を表示できません: ${fault}`,
  guardWorktreePending: () => '作業ツリーはイベント発行時に比較されます',
  guardWorktreeUnread: ({ fault }) =>
    `作業ツリーを比較できません: ${fault}。人が現状を受け入れることができます: sekisho admin accept-changes`,
  guardWorktreeChanged: ({ paths, more }) =>
    `この状態に入ってから変更されています: ${paths.join(', ')}${more > 0 ? ` ほか ${more} 件` : ''}。変更を元に戻すか、人に受け入れてもらってください: sekisho admin accept-changes`,
  guardWorktreeUntouched: ({ globs }) => `この状態に入ってから ${globs} に該当する変更がありません`,
  guardWatched: ({ client }) =>
    `この状態で${client === '' ? '' : ` ${client} の`}フックからの問い合わせがありません。ゲートが無効の可能性があります (sekisho doctor で確認)`,
  inside: ({ sandbox }) => `このセッションはサンドボックス (${sandbox}) の中にあります`,
  storeWithinReach: ({ sandbox }) =>
    `このセッションはサンドボックス (${sandbox}) の中にありますが、データベースに手が届きます。人が sekisho status --rings で理由を確認してください`,
  outside: ({ client }) =>
    `このセッションはサンドボックスの中で起動されていません。人が sekisho run ${client} で起動できます`,
  unwatched: ({ client, state }) =>
    `${client} のフックは設定されていますが、状態「${state}」で一度も問い合わせがありません。クライアント自身のツールは止められていません。人が sekisho doctor で原因を確認してください`,
  guardDescription: ({ guard, type }) => `${type} ガード ${guard}`,
  eventWrongState: ({ states }) =>
    states.length === 0
      ? 'このイベントの遷移はありません'
      : `現在の状態では発行できません（${listJapanese(states)} 状態でのみ発行可能）`,
  runAborted: ({ by, reason }) => `この run は ${by} が中止しました:「${reason}」`,
  eventWrongRole: ({ role }) => `ロール「${role}」は発行できません`,
  artifactFault: ({ path, fault, limit = 0 }) =>
    ({
      outside: `${path} はプロジェクトの外にあります`,
      missing: `${path} が存在しません`,
      not_a_file: `${path} は通常のファイルではありません`,
      unreadable: `${path} を読み取れません`,
      empty: `${path} は空です。空のファイルは証拠になりません`,
      too_large: `${path} は ${limit} バイトを超えています (gate.maxArtifactBytes)`,
      hard_linked: `${path} には複数のハードリンクがあり、プロジェクトの外のファイルと同じものかもしれません。ファイルをコピーし、コピーの方を提出してください`,
      ours: `${path} は Sekisho 自身のファイルであり、証拠になりません`,
      elsewhere: `${path} はここから確認できません。run のファイルは別のマシンまたはクローンにあります`,
    })[fault],
  payloadTooLarge: ({ bytes, limit }) =>
    `ペイロードは ${bytes} バイトです (上限 ${limit})。ファイルを成果物として提出してください`,
  keyIgnored: ({ key, because }) =>
    `ペイロードのキー「${key}」はコンテキストに取り込まれませんでした: ${
      {
        event_takes_none: 'このイベントは何も取り込みません (context: false)',
        event_takes_others: 'このイベントが取り込むのは別のキーだけです (context)',
        undeclared: 'ガードが参照するキーですが、このイベントで宣言されていません',
        not_moved: '遷移が起きませんでした',
      }[because]
    }`,
  inputNotListed: ({ key }) =>
    `「${key}」はガードが参照しますが、プロセスの inputs にありません。設定できるのは人だけです`,
  payloadTooDeep: ({ limit }) => `入れ子が ${limit} 階層を超えています`,
  payloadKeyReused: ({ key }) => `キー「${key}」は別のリクエストで使用済みです。新しいキーを使ってください`,
  conflictNext: () => 'get_state で再取得し、その revision と新しい idempotency_key で再試行してください。',
  movedMeanwhile: ({ run_id, state }) =>
    `質問の表示後に run が進み、現在の状態は「${state}」です。もう一度確認してください: sekisho approve ${run_id}`,
  waitsForPerson: ({ commands }) =>
    `人の承認が必要です。次のコマンドの実行を依頼してください: ${commands.join(' または ')}`,
  waitForPerson: ({ revision }) =>
    `その後は、wait_ms: 50000、since_revision: ${revision} で state_gate.get_state を呼び出し、リビジョンが増えるまで繰り返して待ってください。`,
  noticeWaiting: ({ process, state }) => `${process} の run が、状態「${state}」で人の判断を待っています。`,
  guardNext: () =>
    'missing_guards が示すもの (ファイルは artifact_paths) を用意し、新しい idempotency_key で再発行してください。',
  shownState: ({ state, revision }) => `状態 ${state}、revision ${revision}`,
  shownContext: ({ context }) => `コンテキスト ${context}`,
  shownApproved: ({ people }) => `承認済み: ${people}`,
  shownMissing: () => 'この回答のほかに不足しているもの:',
  shownNothing: () => '提出されたファイルはありません',
  shownElsewhere: () =>
    'run のファイルは別のマシンまたはクローンにあります。以下は保存された内容で、回答の対象はこの内容だけです',
  shownUnplaced: () =>
    'まだどのエージェントもタスクを引き受けていません。最初に回答または作業が行われたフォルダーが run のファイルの場所になります',
  shownTreeSame: () => '作業ツリーはこの状態に入った時のままです',
  shownTree: ({ count }) => `この状態に入ってからの作業ツリーの変更 (${count} 件):`,
  shownFile: (file) =>
    `${file.path}  (${file.type}、バージョン ${file.version}、${file.size} バイト、sha256 ${file.digest.slice(0, 16)}…、提出 ${file.actor})`,
  shownBinary: () => 'バイナリのため表示しません',
  shownNotKept: () => '内容は保存されていません。大きすぎた (gate.keepBytes) か、人が削除しました',
  shownTooLarge: () => '大きすぎるため比較しません',
  shownMore: ({ lines }) => `… ほか ${lines} 行`,
  shownDifference: ({ version }) => `  バージョン ${version} との差分:`,
  shownChanged: ({ path }) =>
    `  ${path} は提出後に変更されています。回答の対象は提出された内容であり、次の変更は含みません:`,
  shownGone: ({ path }) => `  ${path} はもうありません。回答の対象は提出された内容です。`,
  whyAbort: () => '中止する理由を入力してください。中止した run は再開できません (空のまま Enter で取りやめ):',
  nothingWaits: () => 'あなたの回答を待っているものはありません。',
  nameOne: ({ command }) => `対象を指定してください: sekisho ${command} run-…`,
};

export const problem: Japanese<typeof problemEnglish> = {
  RUN_NOT_FOUND: ({ run_id }) =>
    run_id === undefined
      ? 'このプロジェクトに現在の run がありません。state_gate.create_run で開始するか、run_id を指定してください。'
      : `run「${run_id}」は存在しません。state_gate.list_runs で一覧を確認できます。`,
  PROCESS_NOT_FOUND: ({ process_id, known, broken }) =>
    `プロセス「${process_id}」は存在しません。利用可能: ${listJapanese(known)}。${broken.length > 0 ? `壊れた定義ファイル: ${listJapanese(broken)} (sekisho gate lint で詳細を確認)` : ''}`,
  PROCESS_INVALID: ({ process_id, findings }) =>
    `「${process_id}」の定義に ${findings.length} 件の誤りがあります: ${findings
      .slice(0, 3)
      .map((one) => `${one.file}:${one.line}:${one.column} ${one.message('ja')}`)
      .join(' ')} すべては sekisho gate lint で確認できます。`,
  INVALID_EVENT: ({ event, state, legal_in, possible, aborted }) =>
    typeof aborted === 'object'
      ? `この run は ${aborted.by} が中止しました:「${aborted.reason}」。イベントは受け付けません。続けるには、state_gate.create_run で新しい run を開始してください。`
      : state === undefined
        ? `プロセスにイベント「${event}」はありません。現在発行可能: ${listJapanese(possible)}。`
        : `状態「${state}」では「${event}」を発行できません${legal_in.length > 0 ? ` (${listJapanese(legal_in)} 状態でのみ発行可能)` : ''}。現在発行可能: ${listJapanese(possible)}。`,
  RUN_COMPLETED: ({ run_id, state }) =>
    `${run_id} は状態「${state}」で完了しています。中止できるのは進行中の run だけです。`,
  INVALID_PAYLOAD: ({ errors }) =>
    `リクエストが正しくありません。${errors.map((one) => `${one.path}: ${one.message}`).join('; ')}`,
  REVISION_CONFLICT: ({ expected, current }) => `Expected revision ${expected}, but current is ${current}`,
  TREE_UNREADABLE: ({ fault }) => `作業ツリーを読み取れません: ${fault}`,
  EVIDENCE_NOT_FOUND: ({ path, run_id }) =>
    `${run_id} にファイル ${path} (そのバージョン) は提出されていません。describe_run で提出済みのものを確認してください。`,
  EVIDENCE_NOT_KEPT: ({ digest }) =>
    `${digest} の内容は保存されていません。大きすぎた (gate.keepBytes) か、すでに削除されたか、提出されていません。`,
  TREE_CHANGED: () => '確認した後に作業ツリーまたは run が変わりました。もう一度確認してから受け入れてください。',
  EVIDENCE_CHANGED: ({ run_id, changes }) =>
    `${run_id} の証拠は表示されたものと異なります: ${changes.map(({ path, how }) => `${path} (${{ added: '追加', changed: '変更', removed: '削除' }[how]})`).join('、')}。何も記録されていません。もう一度確認してください: sekisho approve ${run_id}`,
  NOTHING_TO_APPROVE: ({ run_id, state, given }) =>
    given
      ? `${run_id} の現在の証拠は、すでにあなたが承認しています。ほかの人の承認を待っています。`
      : `${run_id} の状態「${state}」で承認を待っているものはありません。sekisho approve で一覧を確認できます。`,
  GUARD_FAILED: () => 'Guard conditions not satisfied',
};

export const refusal: Japanese<typeof refusalEnglish> = {
  event: (why) =>
    ({
      event: `ロール「${why.role}」はイベント「${why.event}」を発行できません。許可されたロールの人に依頼してください。`,
      role: `このプロセスではロール「${why.role}」に「${why.event}」の発行が許可されていません。`,
      approve: `ロール「${why.role}」には承認権限 (can_approve) がありません。レビュー担当者に依頼してください: sekisho approve`,
      reject: `ロール「${why.role}」には差し戻しの権限 (can_reject) がありません。レビュー担当者に依頼してください: sekisho reject`,
      unplaced: `この run のタスクはまだどのエージェントも引き受けていないため、run のファイルがありません。get_my_task でタスクを引き受けたエージェントが「${why.event}」を発行できます。`,
      posing: `このプロセスではロール「${why.role}」は人のものですが、この接続はエージェントのものです。`,
      transition: `現在の状態では、ロール「${why.role}」が「${why.event}」で進める遷移がありません。`,
    })[why.by],
  tool: (why) =>
    `${why.process} の状態「${why.state}」(${why.run_id}) では ${why.tool} ${why.ask ? 'の実行に人の確認が必要です' : 'は許可されていません'}。${
      why.opens.length > 0 ? `先へ進むには次のイベントを発行してください: ${listJapanese(why.opens)}。` : ''
    }不足しているものは state_gate.get_state で確認できます。`,
};

/** Japanese texts by their English text. `words.ts` accepts no other key. */
export const words = {
  'Which tools this state permits; null if the process does not restrict them':
    'この状態で許可されるツール (プロセスに指定がなければ null)',
  'Run ID; the current run by default': 'run の ID (省略すると現在の run)',
  'completed: it reached a final state; aborted: a person ended it early':
    'completed は最終状態に到達、aborted は人が途中で中止',
  'Who aborted it, when and why; null if it was not aborted': '中止した人、日時、理由 (中止されていなければ null)',
  'Run ID, or a prefix that only one run has; the current run by default':
    'run の ID (1 つに決まれば先頭だけでもかまいません。省略すると現在の run)',
  'Why; kept in the history': '理由 (履歴に残ります)',
  'Only if the run is still at this revision': 'run がこのリビジョンのままの場合だけ',
  'Relative to the project': 'プロジェクトからの相対パス',
  'SHA-256 of its content': '内容の SHA-256',
  'Only if the evidence is exactly these files': '証拠がちょうどこれらのファイルの場合だけ',
  'Files that have changed in the working copy since they were submitted': '作業コピーが提出時と変わっているファイル',
  'matches() is not available; compare with ==, in, startsWith(), endsWith() or contains()':
    'matches() は使えません。==、in、startsWith()、endsWith()、contains() で比べてください',
  'letters, digits, dot, dash and underscore only': '使えるのは英数字、ドット、ハイフン、アンダースコアだけです',
  'it needs unchanged, changed or changed_only': 'unchanged、changed、changed_only のいずれかが必要です',
  'End a run that is no longer needed. It is final and never counts as done; a task that follows it is blocked.':
    '不要になった run を中止します。run は終了しますが、完了とは扱われません。この run に従うタスクはブロックされます。',
  'Run ID, or a prefix that only one run has': 'run の ID (1 つに決まれば先頭だけでもかまいません)',
  'The state in which it was aborted': '中止したときの状態',
  'True if it was already aborted; nothing has changed now': 'すでに中止されていて、今回は何も変わらなかったか',
  'Accept the current work tree as the baseline of the run’s state: worktree guards compare with it.':
    '今の作業ツリーを、run の現在の状態が始まったときのものとみなします。worktree ガードはこれと比較します。',
  'Only if the tree still has this digest': '作業ツリーのダイジェストがこの値のままの場合だけ',
  'Approve the evidence of a run as a reviewer: emits its approve event.':
    'レビュー担当として run の証拠を承認します (approve イベントを送ります)。',
  'Start a run of a process. It becomes the current run of this checkout if none is open there; it never replaces an open one.':
    'プロセスの run を開始します。このチェックアウトに進行中の run がなければ、現在の run になります。既存の run の代わりにはなりません。',
  'Process ID; list_processes shows them': 'プロセスの ID (list_processes で確認できます)',
  'Initial context values, in addition to the definition’s own': 'run の最初の値 (定義の値に加わります)',
  'The definition of a process: states, transitions, guards, the programs that it would run, and whether it is trusted.':
    'プロセスの定義です。状態、遷移、ガード、実行するプログラム、信頼の状態を示します。',
  'Process ID': 'プロセスの ID',
  'Programs that its guards run': 'ガードが実行するプログラム',
  'Lint findings of the file': 'ファイルの検査結果',
  'This project: its folder and database, whether its files are trusted, and which protection rings are active.':
    'このプロジェクトの場所、データベース、ファイルが人の確認したとおりか、どのリングが有効かを示します。',
  'Whether the configuration is the version that a person trusted': '人が確認した内容と設定の違い',
  'null: the whole project': 'null はプロジェクト全体のもの',
  'The command that fixes it': '直すためのコマンド',
  'Tested just now, not cached': '今試した結果 (記録ではありません)',
  'Everything about a run: its process as a graph, its path, what each transition out still needs, its evidence, and whether it waits for you.':
    'run の全体です。プロセスの図、通った道筋、それぞれの出口で不足しているもの、証拠、あなたの回答待ちかどうかを示します。',
  'Its subject, if its context names one': '何についての run か (コンテキストから分かる場合)',
  'The folder in which its evidence is looked up; empty until an agent has taken its task':
    '証拠を探す場所。エージェントがタスクを引き受けるまでは空',
  'null: the start of the run': 'null は run の始まり',
  'The states that it was in, oldest first; the last thousand': '通った道筋 (古い順、最後の 1000 件)',
  'True if you can emit the event': 'あなたが送れるイベントか',
  'True if it is only known when the event is emitted': '決定の時点で分かるもの',
  'Transitions out of the current state': '現在の状態からの出口',
  'null: the gate found it just now': 'null はゲートが今見つけたもの',
  'True if its content can be read': '内容を読めるか',
  'The working copy still has exactly this content; null: it was not compared':
    '作業コピーが今もこの内容のままか (null は比較していないことを示します)',
  'True if it was given for exactly the current evidence': 'まさにこの証拠に対するものか',
  'Answers that you can give now': '今できる回答',
  'What is missing apart from your answer': 'あなたの回答のほかに不足しているもの',
  'Submit an event with its evidence (payload, files). The gate decides the transition.':
    '証拠 (ペイロード、ファイル) を付けてイベントを送ります。遷移するかどうかはゲートが決めます。',
  'One of allowed_events of get_state': 'get_state の allowed_events のいずれか',
  'Data as the event’s payload_schema requires it': 'イベントの payload_schema が求める内容',
  'The revision that get_state returned': 'get_state が返したリビジョン',
  'A new unique key for every new request; the same one to repeat a request':
    '新しい要求ごとに新しいキー。同じ要求を繰り返すときは同じキー',
  'Project files to submit as evidence': '証拠にするプロジェクトのファイル',
  'False if the run stays in its state': 'false は run の状態が変わらなかったことを示します',
  'Unsatisfied guards, if the run did not move': '進めなかった場合に不足しているもの',
  'What a person has to do now, and with which command': '今、人がすべきことと、使うコマンド',
  'Keys of the payload that did not enter the context': 'コンテキストに入らなかったペイロードのキー',
  'Weaknesses of the gate, such as hooks that do not ask': 'ゲートが完全でない理由',
  'Remove the kept content of evidence or of a command’s output. Its digest stays in the history.':
    '保存された証拠、またはコマンド出力の内容を削除します。ダイジェストは履歴に残ります。',
  'SHA-256 of the content, as get_history shows it': '内容の SHA-256 (get_history で確認できます)',
  'What happened in a run, oldest first: events, who emitted them, with which evidence.':
    'run で起きたことを古い順に返します。イベント、送った人、証拠が分かります。',
  'Link of the run’s newest journal entry; kept elsewhere it proves the history later':
    'run の最新のジャーナル項目のリンク。別の場所に保管すると、後で履歴を証明できます',
  'For an approval or a rejection: all files that it covers': '承認または差し戻しの対象になった全ファイル',
  'Where a run stands: state, revision, what is missing, which events may be emitted now. Call it first.':
    'run の現在地です。状態、リビジョン、不足しているもの、今送れるイベントを返します。最初に呼び出してください。',
  'Maximum time to wait for the run to change; 0 by default': 'run が変わるのを待つ時間の上限 (既定は 0 ミリ秒)',
  'With wait_ms: the last revision that you have seen. It answers at once if the run is past it':
    'wait_ms と併用。確認済みのリビジョン。run がすでに先へ進んでいれば、すぐに返します',
  'Clients with hooks that ask before each tool, and how often one asked in this state':
    'ツールの前に問い合わせるよう設定されたクライアントと、この状態での問い合わせ回数',
  'Whether the configuration and the definition are trusted': '設定と定義が、人の確認したとおりか',
  'Whether this session is in a sandbox that cannot reach Sekisho’s own files':
    'このセッションが、Sekisho の設定や記録に触れられないサンドボックスの中にあるか',
  'What a person has to do before this state can be left, and with which command; null: nothing':
    'この状態を離れるために人がすべきことと、使うコマンド (null はなし)',
  'The events that may be emitted now, with their transitions and what each guard still needs.':
    '今送れるイベントと、その遷移、各ガードで不足しているものを返します。',
  'Include events that are not possible now, with the reason': '今は送れないイベントも理由とともに表示',
  'The processes of which a run can be started, and broken definition files.':
    'run を開始できるプロセスと、壊れている定義ファイルの一覧です。',
  'The runs of this project, newest first.': 'このプロジェクトの run を新しい順に一覧します。',
  'Only runs of this process': 'このプロセスの run だけ',
  'Only runs that are not final': '終了していない run だけ',
  'Only runs with this text in their id, process, state or context':
    'ID、プロセス、状態、コンテキストのどこかにこの語を含む run だけ',
  'The open runs of this project that you can approve now, newest first, with what else they need.':
    'このプロジェクトで今あなたが承認できる run を、ほかに不足しているものとともに新しい順に一覧します。',
  'Nothing else is missing': 'ほかに不足しているものはないか',
  'What else is missing': 'ほかに不足しているもの',
  'Answers that the run accepts from you': 'run があなたから受け付ける回答',
  'The evidence that the answer covers': '回答の対象',
  'When it entered this state': 'この状態になった時刻',
  'The content of a file that was submitted to a run, in any version; or the current working copy.':
    'run に提出されたファイルの内容です。どのバージョンでも、今の作業コピーでも読めます。',
  'Which run': 'run の ID',
  'Path of the file, as the run lists it': 'run での名前によるファイル指定',
  'Version, even one that describe_run lists but is not recorded yet; "working": the current file; the newest submitted version by default':
    'バージョン (describe_run が示す、まだ記録されていないものも指定できます。"working" は今のファイル。省略すると最後に提出されたもの)',
  'null: the working copy': 'null は作業コピー',
  'null: the file no longer exists': 'null はファイルがもうないことを示します',
  'null: not recorded yet': 'null はまだ記録されていないもの',
  'False: too large to be kept, or removed by a person':
    'false は大きすぎて保存されなかったか、人が削除したことを示します',
  'Type by its content; null if it is not known': '内容から分かる種類 (分からなければ null)',
  'Present if it is text of at most 1 MiB': '1 MiB 以下のテキストの場合',
  'Present if it is an image that can be shown': '表示できる画像の場合',
  'Send a run back as a reviewer: emits its reject event.':
    'レビュー担当として run を差し戻します (reject イベントを送ります)。',
  'Trust the configuration and the definitions as they are now. Until then a changed file has no effect: the last trusted version stays in effect.':
    '設定と定義を、今の内容で有効にします。それまでは変更されたファイルは効力を持たず、最後に信頼された内容が続きます。',
  'Files to trust; by default the configuration and every definition that changed':
    '対象のファイル (省略すると、設定と変更されたすべての定義)',
  'Only files with exactly this content, "removed" for one that is gone; "digest file": only that file':
    '内容がこのとおりのファイルだけ。削除されたファイルは "removed"。"ダイジェスト ファイル" と書くとそのファイルだけ',
  'Make a run the current run of the project, or of this worktree: hooks and tools follow it.':
    'run を、プロジェクト (または今いる作業ツリー) の現在の run にします。フックとツールはこの run に従います。',
  'Which runs bind here now, and how a person changes that': 'ここで適用される run と、人がそれを変える方法',
  'null: every role': 'null はすべてのロール',
  'A run at a glance: its process, state, revision, its past states and the states ahead.':
    'run の概要です。プロセス、状態、リビジョン、通った状態とこれからの状態を示します。',
  'Present if the file is not the version that a person last trusted':
    'ファイルが最後に人の確認したとおりでない場合の説明',
} as const;
