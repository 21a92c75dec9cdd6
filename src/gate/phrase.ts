import { definePhrases } from '../kernel/text/text.ts';
import type { Reason } from './run/holder.ts';
import type { ArtifactFault, IgnoredBecause } from './problem.ts';

const listedEn = (items: readonly string[]) => items.join(', ') || 'none';
const listedJa = (items: readonly string[]) => items.join(', ') || 'なし';

export const phrase = definePhrases({
  bindsBy: {
    en: ({ reason }: { reason: Reason }) =>
      ({
        task: 'the task at hand',
        client: 'this client started it, or was started under it',
        tree: 'the run of this worktree',
        checkout: 'the run of the main checkout',
        guest: 'no other run binds here; nobody has looked at its definition yet',
      })[reason],
    ja: ({ reason }) =>
      ({
        task: '作業中のタスクの run',
        client: 'このクライアントが開始したか、その下で起動された',
        tree: 'この作業ツリーの run',
        checkout: 'メインのチェックアウトの run',
        guest: 'ほかに run がないため (定義はまだ確認されていません)',
      })[reason],
  },
  bindsAlone: {
    en: ({ run_id }: { run_id: string }) => `${run_id} binds agents here.`,
    ja: ({ run_id }) => `ここのエージェントは ${run_id} に従います。`,
  },
  bindsBeside: {
    en: ({ run_id, others }: { run_id: string; others: readonly string[] }) =>
      `${run_id} binds together with ${listedEn(others)}: what one of them denies is denied. A person ends one that is no longer needed with: sekisho abort <run>`,
    ja: ({ run_id, others }) =>
      `${run_id} は ${listedJa(others)} とともに適用されます。どちらかが拒否したものは拒否されます。不要になった run は、人が sekisho abort <run> で終わらせます。`,
  },
  bindsNot: {
    en: ({ run_id, others }: { run_id: string; others: readonly string[] }) =>
      `${run_id} does not bind agents here: ${listedEn(others)} does. A person changes that with: sekisho gate use ${run_id} (or ends the other with: sekisho abort ${others[0] ?? '<run>'})`,
    ja: ({ run_id, others }) =>
      `ここで適用されるのは ${listedJa(others)} で、${run_id} ではありません。人が sekisho gate use ${run_id} で切り替えるか、sekisho abort ${others[0] ?? '<run>'} で終わらせます。`,
  },
  guardArtifactMissing: {
    en: ({ type }: { type: string }) => `artifact '${type}' has not been submitted`,
    ja: ({ type }) => `成果物 '${type}' が未提出`,
  },
  guardArtifactFew: {
    en: ({ type, current, required }: { type: string; current: number; required: number }) =>
      `not enough artifacts of type '${type}' (current: ${current}, required: ${required})`,
    ja: ({ type, current, required }) => `成果物 '${type}' の件数が不足 (現在: ${current}, 必要: ${required})`,
  },
  guardArtifactPoor: {
    en: ({ path, min, headings }: { path: string; min: number | undefined; headings: readonly string[] }) =>
      `${path} does not count: ${[...(min === undefined ? [] : [`it has fewer than ${min} bytes`]), ...headings.map((one) => `no line "${one}"`)].join(', ')}`,
    ja: ({ path, min, headings }) =>
      `${path} は数えられません: ${[...(min === undefined ? [] : [`${min} バイト未満です`]), ...headings.map((one) => `「${one}」の行がありません`)].join('、')}`,
  },
  guardContext: {
    en: ({
      variable,
      condition,
      current,
      required,
    }: {
      variable: string;
      condition: string;
      current: string;
      required: string;
    }) =>
      `context.${variable} ${condition.replace('_', ' ')} does not hold (current: ${current}${required === '' ? '' : `, required: ${required}`})`,
    ja: ({ variable, condition, current, required }) =>
      `context.${variable} が条件 ${condition} を満たしていません (現在: ${current}${required === '' ? '' : `, 必要: ${required}`})`,
  },
  guardApproval: {
    en: ({
      role,
      current,
      required,
      own,
      command,
    }: {
      role: string;
      current: number;
      required: number;
      own: number;
      command: string;
    }) =>
      `not enough approvals${role === '*' ? '' : ` by a ${role}`}${own > 0 ? ', and nobody approves evidence of their own' : ''}${command === '' ? '' : `; a person gives one with ${command}`} (current: ${current}, required: ${required})`,
    ja: ({ role, current, required, own, command }) =>
      `承認が不足${role === '*' ? '' : ` (ロール: ${role})`}${own > 0 ? '。自分が提出した証拠は承認できません' : ''}${command === '' ? '' : `。人が ${command} で承認します`} (現在: ${current}, 必要: ${required})`,
  },
  guardFileMissing: {
    en: ({ paths }: { paths: string }) => `file not found, or empty: ${paths}`,
    ja: ({ paths }) => `ファイルがないか、空です: ${paths}`,
  },
  guardFileChanged: {
    en: ({ path }: { path: string }) => `${path} differs from the submitted evidence; submit it again`,
    ja: ({ path }) => `${path} が提出時の内容と異なります。再提出してください`,
  },
  guardSchema: {
    en: ({ path, errors }: { path: string; errors: string }) => `${path} does not fit its schema: ${errors}`,
    ja: ({ path, errors }) => `${path} がスキーマに適合しません: ${errors}`,
  },
  guardExpression: {
    en: ({ expression, outcome }: { expression: string; outcome: string }) =>
      `${expression} (current: ${outcome}, required: true)`,
    ja: ({ expression, outcome }) => `${expression} (現在: ${outcome}, 必要: true)`,
  },
  treeUnrecorded: {
    en: () => 'it was not recorded when the state began',
    ja: () => '状態の開始時に記録されていません',
  },
  startUnrecorded: {
    en: () => 'the tree was not recorded when the run began',
    ja: () => 'run の開始時に作業ツリーが記録されていません',
  },
  expressionTooLong: {
    en: ({ steps, most }: { steps: number; most: number }) => `it could take ${steps} steps, at most ${most} are made`,
    ja: ({ steps, most }) => `${steps} 段の計算になり得ます (上限は ${most})`,
  },
  guardAny: {
    en: ({ reasons }: { reasons: string }) => `none of these holds: ${reasons}`,
    ja: ({ reasons }) => `次のいずれも満たしていません: ${reasons}`,
  },
  guardNot: {
    en: ({ guard }: { guard: string }) => `${guard} holds, but must not`,
    ja: ({ guard }) => `${guard} が成立していますが、成立してはいけません`,
  },
  guardCommandUntrusted: {
    en: ({ command }: { command: string }) =>
      `"${command}" may not run: a person has to trust this definition first (sekisho trust)`,
    ja: ({ command }) => `「${command}」は実行できません。人がこの定義を信頼する必要があります (sekisho trust)`,
  },
  neverTrusted: {
    en: ({ file }: { file: string }) =>
      `${file} is not trusted as it is: its command guards do not run until a person has seen it (sekisho trust)`,
    ja: ({ file }) =>
      `${file} は現在の内容では信頼されていません。人が確認するまでコマンドのガードは実行されません (sekisho trust)`,
  },
  lastTrusted: {
    en: ({ file }: { file: string }) =>
      `${file} has changed since a person trusted it: what they saw goes on until somebody trusts the change (sekisho trust)`,
    ja: ({ file }) =>
      `${file} は信頼された後に変更されています。変更が信頼されるまで、信頼された内容が使われます (sekisho trust)`,
  },
  guardCommandPending: {
    en: ({ command }: { command: string }) => `"${command}" runs when the event is emitted`,
    ja: ({ command }) => `「${command}」はイベント発行時に実行されます`,
  },
  guardCommandUnset: {
    en: () =>
      'no test command is configured: set it with sekisho init --test-command "npm test", or as test: [npm, test] in .sekisho/config.yaml',
    ja: () =>
      'テストコマンドが設定されていません。sekisho init --test-command "npm test" または .sekisho/config.yaml の test: [npm, test] で設定してください',
  },
  guardCommandWaiting: {
    en: ({ guards }: { guards: string }) => `not run yet, because these are still open: ${guards}`,
    ja: ({ guards }) => `次の条件が未充足のため、まだ実行されていません: ${guards}`,
  },
  guardCommandFailed: {
    en: ({ command, outcome, output }: { command: string; outcome: string; output: string }) =>
      `"${command}" failed: ${outcome}${output === '' ? '' : `\n${output}`}`,
    ja: ({ command, outcome, output }) => `「${command}」が失敗: ${outcome}${output === '' ? '' : `\n${output}`}`,
  },
  guardCommandSandbox: {
    en: ({ command, reason }: { command: string; reason: string }) =>
      `${command} must run in a sandbox, and there is none: ${reason}`,
    ja: ({ command, reason }) => `${command} はサンドボックスの中で実行する必要がありますが、使えません: ${reason}`,
  },
  guardInSandbox: {
    en: ({ outcome, sandbox }: { outcome: string; sandbox: string }) => `${outcome}, in the sandbox (${sandbox})`,
    ja: ({ outcome, sandbox }) => `${outcome} (サンドボックス ${sandbox} の中)`,
  },
  guardCommandTimeout: {
    en: ({ ms }: { ms: number }) => `no answer within ${ms} ms`,
    ja: ({ ms }) => `${ms} ミリ秒以内に終了しませんでした`,
  },
  guardCommandExit: {
    en: ({ current, required }: { current: number; required: number }) =>
      `exit code (current: ${current}, required: ${required})`,
    ja: ({ current, required }) => `終了コード (現在: ${current}, 必要: ${required})`,
  },
  guardElsewhere: {
    en: () => 'it is decided where the files are, on another machine or in another clone, at the next event there',
    ja: () => 'ファイルのある場所 (別のマシンまたはクローン) で、次のイベントの時に判定されます',
  },
  guardNoDifference: {
    en: ({ fault }: { fault: string }) => `what changed since the run began cannot be shown: ${fault}`,
    ja: ({ fault }) => `run の開始後の変更を表示できません: ${fault}`,
  },
  guardWorktreePending: {
    en: () => 'the work tree is compared when the event is emitted',
    ja: () => '作業ツリーはイベント発行時に比較されます',
  },
  guardWorktreeUnread: {
    en: ({ fault }: { fault: string }) =>
      `the work tree cannot be compared: ${fault}. A person may accept it as it is: sekisho admin accept-changes`,
    ja: ({ fault }) =>
      `作業ツリーを比較できません: ${fault}。人が現状を受け入れることができます: sekisho admin accept-changes`,
  },
  guardWorktreeChanged: {
    en: ({ paths, more }: { paths: readonly string[]; more: number }) =>
      `changed since the state was entered: ${paths.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Take the changes back, or let a person accept them: sekisho admin accept-changes`,
    ja: ({ paths, more }) =>
      `この状態に入ってから変更されています: ${paths.join(', ')}${more > 0 ? ` ほか ${more} 件` : ''}。変更を取り消すか、人に受け入れてもらってください: sekisho admin accept-changes`,
  },
  guardWorktreeUntouched: {
    en: ({ globs }: { globs: string }) => `nothing has changed that fits ${globs} since the state was entered`,
    ja: ({ globs }) => `この状態に入ってから ${globs} に該当する変更がありません`,
  },
  guardWatched: {
    en: ({ client }: { client: string }) =>
      `no hook${client === '' ? '' : ` of ${client}`} has asked in this state: the gate may be off. sekisho doctor tells why`,
    ja: ({ client }) =>
      `この状態で${client === '' ? '' : ` ${client} の`}フックからの問い合わせがありません。ゲートが無効の可能性があります (sekisho doctor で確認)`,
  },
  inside: {
    en: ({ sandbox }: { sandbox: string }) => `this session is in the sandbox (${sandbox})`,
    ja: ({ sandbox }) => `このセッションはサンドボックス (${sandbox}) の中にあります`,
  },
  storeWithinReach: {
    en: ({ sandbox }: { sandbox: string }) =>
      `this session is in the sandbox (${sandbox}), but the store is within its reach. A person finds out why with: sekisho status --rings`,
    ja: ({ sandbox }) =>
      `このセッションはサンドボックス (${sandbox}) の中にありますが、データベースに手が届きます。人が sekisho status --rings で理由を確認してください`,
  },
  outside: {
    en: ({ client }: { client: string }) =>
      `this session was not started in a sandbox; a person starts one with: sekisho run ${client}`,
    ja: ({ client }) =>
      `このセッションはサンドボックスの中で起動されていません。人が sekisho run ${client} で起動できます`,
  },
  unwatched: {
    en: ({ client, state }: { client: string; state: string }) =>
      `Hooks of ${client} were prepared, but none has asked in the state "${state}": its own tools are not held back. A person finds out why with: sekisho doctor`,
    ja: ({ client, state }) =>
      `${client} のフックは設定されていますが、状態「${state}」で一度も問い合わせがありません。クライアント自身のツールは止められていません。人が sekisho doctor で原因を確認してください`,
  },
  guardDescription: {
    en: ({ guard, type }: { guard: string; type: string }) => `${type} guard ${guard}`,
    ja: ({ guard, type }) => `${type} ガード ${guard}`,
  },
  eventWrongState: {
    en: ({ states }: { states: readonly string[] }) =>
      states.length === 0
        ? 'No state has a transition for it'
        : `Not possible in the current state (only in ${listedEn(states)})`,
    ja: ({ states }) =>
      states.length === 0
        ? 'このイベントの遷移はありません'
        : `現在の状態では発行できません（${listedJa(states)} 状態でのみ発行可能）`,
  },
  runAborted: {
    en: ({ by, reason }: { by: string; reason: string }) => `The run was aborted by ${by}: "${reason}"`,
    ja: ({ by, reason }) => `この run は ${by} が中止しました:「${reason}」`,
  },
  eventWrongRole: {
    en: ({ role }: { role: string }) => `The role "${role}" may not emit it`,
    ja: ({ role }) => `ロール「${role}」は発行できません`,
  },
  artifactFault: {
    en: ({ path, fault, limit = 0 }: { path: string; fault: ArtifactFault; limit?: number }) =>
      ({
        outside: `${path} is outside of the project`,
        missing: `${path} does not exist`,
        not_a_file: `${path} is not a regular file`,
        unreadable: `${path} cannot be read`,
        empty: `${path} is empty, and an empty file is no evidence`,
        too_large: `${path} has more than ${limit} bytes (gate.maxArtifactBytes)`,
        hard_linked: `${path} has several hard links, and the others may be outside of the project. Copy the file and hand in the copy`,
        ours: `${path} belongs to Sekisho itself and is no evidence`,
        elsewhere: `${path} cannot be looked at from here: the run’s files are on another machine or in another clone`,
      })[fault],
    ja: ({ path, fault, limit = 0 }) =>
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
  },
  payloadTooLarge: {
    en: ({ bytes, limit }: { bytes: number; limit: number }) =>
      `the payload has ${bytes} bytes, at most ${limit} are accepted; submit a file as artifact instead`,
    ja: ({ bytes, limit }) =>
      `ペイロードは ${bytes} バイトです (上限 ${limit})。ファイルを成果物として提出してください`,
  },
  keyIgnored: {
    en: ({ key, because }: { key: string; because: IgnoredBecause }) =>
      `the key "${key}" of the payload was not merged into the context: ${
        {
          event_takes_none: 'this event takes none (context: false)',
          event_takes_others: 'this event takes other keys only (context)',
          undeclared: 'a guard reads it, and this event does not declare it',
          not_moved: 'no transition happened',
        }[because]
      }`,
    ja: ({ key, because }) =>
      `ペイロードのキー「${key}」はコンテキストに取り込まれませんでした: ${
        {
          event_takes_none: 'このイベントは何も取り込みません (context: false)',
          event_takes_others: 'このイベントが取り込むのは別のキーだけです (context)',
          undeclared: 'ガードが参照するキーですが、このイベントで宣言されていません',
          not_moved: '遷移が起きませんでした',
        }[because]
      }`,
  },
  inputNotListed: {
    en: ({ key }: { key: string }) =>
      `a guard reads "${key}", and the process does not list it under inputs: only a person may set it`,
    ja: ({ key }) => `「${key}」はガードが参照しますが、プロセスの inputs にありません。設定できるのは人だけです`,
  },
  payloadTooDeep: {
    en: ({ limit }: { limit: number }) => `it is nested more than ${limit} levels deep`,
    ja: ({ limit }) => `入れ子が ${limit} 階層を超えています`,
  },
  payloadKeyReused: {
    en: ({ key }: { key: string }) => `the key "${key}" was used for another request; use a new one`,
    ja: ({ key }) => `キー「${key}」は別のリクエストで使用済みです。新しいキーを使ってください`,
  },
  conflictNext: {
    en: () => 'Read the run again with get_state, then retry with its revision and a new idempotency_key.',
    ja: () => 'get_state で再取得し、その revision と新しい idempotency_key で再試行してください。',
  },
  /** Somebody emitted an event while a question stood. */
  movedMeanwhile: {
    en: ({ run_id, state }: { run_id: string; state: string }) =>
      `The run has gone on since you were asked, and is now in the state "${state}". Look at it again: sekisho approve ${run_id}`,
    ja: ({ run_id, state }) =>
      `質問の表示後に run が進み、現在の状態は「${state}」です。もう一度確認してください: sekisho approve ${run_id}`,
  },
  waitsForPerson: {
    en: ({ commands }: { commands: readonly string[] }) =>
      `A person has to approve. Ask them to run: ${commands.join(' or ')}`,
    ja: ({ commands }) => `人の承認が必要です。次のコマンドの実行を依頼してください: ${commands.join(' または ')}`,
  },
  /** For agents only, behind the sentence above. */
  waitForPerson: {
    en: ({ revision }: { revision: number }) =>
      `Then wait: call state_gate.get_state with wait_ms: 50000, since_revision: ${revision}, and repeat the call until the revision grows.`,
    ja: ({ revision }) =>
      `その後は、wait_ms: 50000、since_revision: ${revision} で state_gate.get_state を呼び出し、リビジョンが増えるまで繰り返して待ってください。`,
  },
  noticeWaiting: {
    en: ({ process, state }: { process: string; state: string }) =>
      `A run of ${process} waits for a person in the state "${state}".`,
    ja: ({ process, state }) => `${process} の実行が、状態「${state}」で人の判断を待っています。`,
  },
  guardNext: {
    en: () =>
      'Provide what missing_guards names (files as artifact_paths), then emit again with a new idempotency_key.',
    ja: () =>
      'missing_guards が示すもの (ファイルは artifact_paths) を用意し、新しい idempotency_key で再発行してください。',
  },
  shownState: {
    en: ({ state, revision }: { state: string; revision: number }) => `state ${state}, revision ${revision}`,
    ja: ({ state, revision }) => `状態 ${state}、revision ${revision}`,
  },
  shownContext: {
    en: ({ context }: { context: string }) => `context ${context}`,
    ja: ({ context }) => `コンテキスト ${context}`,
  },
  shownApproved: {
    en: ({ people }: { people: string }) => `approved so far by ${people}`,
    ja: ({ people }) => `承認済み: ${people}`,
  },
  shownMissing: {
    en: () => 'still missing beside this answer:',
    ja: () => 'この回答のほかに不足しているもの:',
  },
  shownNothing: {
    en: () => 'no files were handed in',
    ja: () => '提出されたファイルはありません',
  },
  shownElsewhere: {
    en: () =>
      'the run’s files are not here but on another machine or in another clone: this is what was kept of them, and the answer is for exactly that',
    ja: () =>
      'run のファイルは別のマシンまたはクローンにあります。以下は保存された内容で、回答の対象はこの内容だけです',
  },
  shownTreeSame: {
    en: () => 'the work tree is as it was when the state was entered',
    ja: () => '作業ツリーはこの状態に入った時のままです',
  },
  shownTree: {
    en: ({ count }: { count: number }) => `changed in the work tree since the state was entered (${count}):`,
    ja: ({ count }) => `この状態に入ってからの作業ツリーの変更 (${count} 件):`,
  },
  shownFile: {
    en: (file: { type: string; path: string; version: number; size: number; digest: string; actor: string }) =>
      `${file.path}  (${file.type}, version ${file.version}, ${file.size} bytes, sha256 ${file.digest.slice(0, 16)}…, by ${file.actor})`,
    ja: (file) =>
      `${file.path}  (${file.type}、バージョン ${file.version}、${file.size} バイト、sha256 ${file.digest.slice(0, 16)}…、提出 ${file.actor})`,
  },
  shownBinary: {
    en: () => 'binary: it is not shown',
    ja: () => 'バイナリのため表示しません',
  },
  shownNotKept: {
    en: () => 'its content was not kept: it was too large (gate.keepBytes), or a person has removed it',
    ja: () => '内容は保存されていません。大きすぎた (gate.keepBytes) か、人が削除しました',
  },
  shownTooLarge: {
    en: () => 'too large to be compared',
    ja: () => '大きすぎるため比較しません',
  },
  shownMore: {
    en: ({ lines }: { lines: number }) => `… and ${lines} more lines`,
    ja: ({ lines }) => `… ほか ${lines} 行`,
  },
  shownDifference: {
    en: ({ version }: { version: number }) => `  the difference to version ${version}:`,
    ja: ({ version }) => `  バージョン ${version} との差分:`,
  },
  shownChanged: {
    en: ({ path }: { path: string }) =>
      `  ${path} has changed since it was handed in. The answer is for what was handed in, not for this:`,
    ja: ({ path }) => `  ${path} は提出後に変更されています。回答の対象は提出された内容であり、次の変更は含みません:`,
  },
  shownGone: {
    en: ({ path }: { path: string }) => `  ${path} is not there any more. The answer is for what was handed in.`,
    ja: ({ path }) => `  ${path} はもうありません。回答の対象は提出された内容です。`,
  },
  whyAbort: {
    en: () => 'Why is it aborted? It cannot be opened again. (Enter: leave it as it is)',
    ja: () => '中止する理由を入力してください。中止した run は再開できません (空のまま Enter で取りやめ):',
  },
  nothingWaits: {
    en: () => 'Nothing waits for you.',
    ja: () => 'あなたの回答を待っているものはありません。',
  },
  nameOne: {
    en: ({ command }: { command: string }) => `Name one: sekisho ${command} run-…`,
    ja: ({ command }) => `対象を指定してください: sekisho ${command} run-…`,
  },
});
