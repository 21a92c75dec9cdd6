import { defineProblems, defineRefusals } from '../kernel/problem.ts';
import type { FieldError } from '../kernel/problem.ts';
import type { Finding } from './definition/finding.ts';
import type { Aborted } from './run/status.ts';

/** Why a file is no evidence. */
export type ArtifactFault =
  | 'outside'
  | 'missing'
  | 'not_a_file'
  | 'unreadable'
  | 'empty'
  | 'too_large'
  | 'hard_linked'
  | 'ours'
  | 'elsewhere';

/** Why a key of a payload did not enter the context. */
export type IgnoredBecause = 'event_takes_none' | 'event_takes_others' | 'undeclared' | 'not_moved';

/** How a file of the evidence differs from what somebody was shown. */
interface EvidenceChanged {
  readonly path: string;
  readonly how: 'added' | 'changed' | 'removed';
}

/** Who keeps a role from emitting an event. */
export type RoleFault = 'event' | 'role' | 'approve' | 'reject' | 'posing';

const listedEn = (items: readonly string[]) => items.join(', ') || 'none';
const listedJa = (items: readonly string[]) => items.join(', ') || 'なし';

export const problem = defineProblems({
  /** Without `run_id`: nothing is current in this project. */
  RUN_NOT_FOUND: {
    en: ({ run_id }: { run_id: string | undefined }) =>
      run_id === undefined
        ? 'No run is current in this project. Start one with state_gate.create_run, or name it with run_id.'
        : `There is no run "${run_id}". state_gate.list_runs shows the runs of this project.`,
    ja: ({ run_id }) =>
      run_id === undefined
        ? 'このプロジェクトに現在の run がありません。state_gate.create_run で開始するか、run_id を指定してください。'
        : `run「${run_id}」は存在しません。state_gate.list_runs で一覧を確認できます。`,
  },
  PROCESS_NOT_FOUND: {
    en: ({ process_id, known, broken }: { process_id: string; known: readonly string[]; broken: readonly string[] }) =>
      `There is no process "${process_id}". Known: ${listedEn(known)}.${broken.length > 0 ? ` Broken files: ${listedEn(broken)}; sekisho gate lint tells why.` : ''}`,
    ja: ({ process_id, known, broken }) =>
      `プロセス「${process_id}」は存在しません。利用可能: ${listedJa(known)}。${broken.length > 0 ? `壊れた定義ファイル: ${listedJa(broken)} (sekisho gate lint で詳細を確認)` : ''}`,
  },
  PROCESS_INVALID: {
    en: ({ process_id, findings }: { process_id: string; findings: readonly Finding[] }) =>
      `The definition of "${process_id}" has ${findings.length} error(s): ${findings
        .slice(0, 3)
        .map((one) => `${one.file}:${one.line}:${one.column} ${one.message('en')}`)
        .join(' ')} Run sekisho gate lint for all of them.`,
    ja: ({ process_id, findings }) =>
      `「${process_id}」の定義に ${findings.length} 件の誤りがあります: ${findings
        .slice(0, 3)
        .map((one) => `${one.file}:${one.line}:${one.column} ${one.message('ja')}`)
        .join(' ')} すべては sekisho gate lint で確認できます。`,
  },
  INVALID_EVENT: {
    en: ({
      event,
      state,
      legal_in,
      possible,
      aborted,
    }: {
      event: string;
      state: string | undefined;
      legal_in: readonly string[];
      possible: readonly string[];
      aborted?: Pick<Aborted, 'by' | 'reason'>;
    }) =>
      typeof aborted === 'object'
        ? `The run was aborted by ${aborted.by}: "${aborted.reason}". It takes no more events. To go on, start a new run with state_gate.create_run.`
        : state === undefined
          ? `The process has no event "${event}". Possible now: ${listedEn(possible)}.`
          : `"${event}" cannot be emitted in the state "${state}"${legal_in.length > 0 ? ` (only in ${listedEn(legal_in)})` : ''}. Possible now: ${listedEn(possible)}.`,
    ja: ({ event, state, legal_in, possible, aborted }) =>
      typeof aborted === 'object'
        ? `この run は ${aborted.by} が中止しました:「${aborted.reason}」。イベントは受け付けません。続けるには、state_gate.create_run で新しい run を開始してください。`
        : state === undefined
          ? `プロセスにイベント「${event}」はありません。現在発行可能: ${listedJa(possible)}。`
          : `状態「${state}」では「${event}」を発行できません${legal_in.length > 0 ? ` (${listedJa(legal_in)} 状態でのみ発行可能)` : ''}。現在発行可能: ${listedJa(possible)}。`,
  },
  RUN_COMPLETED: {
    en: ({ run_id, state }: { run_id: string; state: string }) =>
      `${run_id} is completed: it ended in the state "${state}". Only an open run can be aborted.`,
    ja: ({ run_id, state }) => `${run_id} は状態「${state}」で完了しています。中止できるのは進行中の run だけです。`,
  },
  INVALID_PAYLOAD: {
    en: ({ errors }: { errors: readonly FieldError[] }) =>
      `The request is not valid. ${errors.map((one) => `${one.path}: ${one.message}`).join('; ')}`,
    ja: ({ errors }) =>
      `リクエストが正しくありません。${errors.map((one) => `${one.path}: ${one.message}`).join('; ')}`,
  },
  REVISION_CONFLICT: {
    en: ({ expected, current }: { expected: number; current: number }) =>
      `Expected revision ${expected}, but current is ${current}`,
    ja: ({ expected, current }) => `Expected revision ${expected}, but current is ${current}`,
  },
  TREE_UNREADABLE: {
    en: ({ fault }: { fault: string }) => `The work tree cannot be read: ${fault}.`,
    ja: ({ fault }) => `作業ツリーを読み取れません: ${fault}`,
  },
  EVIDENCE_NOT_FOUND: {
    en: ({ path, run_id }: { path: string; run_id: string }) =>
      `No file ${path} (of that version) was handed in to ${run_id}. describe_run lists what was.`,
    ja: ({ path, run_id }) =>
      `${run_id} にファイル ${path} (そのバージョン) は提出されていません。describe_run で提出済みのものを確認してください。`,
  },
  EVIDENCE_NOT_KEPT: {
    en: ({ digest }: { digest: string }) =>
      `No content is kept for ${digest}: it was too large (gate.keepBytes), was removed before, or never handed in.`,
    ja: ({ digest }) =>
      `${digest} の内容は保存されていません。大きすぎた (gate.keepBytes) か、すでに削除されたか、提出されていません。`,
  },
  TREE_CHANGED: {
    en: () => 'The work tree or the run has changed since you looked. Look again, then accept.',
    ja: () => '確認した後に作業ツリーまたは run が変わりました。もう一度確認してから受け入れてください。',
  },
  EVIDENCE_CHANGED: {
    en: ({ run_id, changes }: { run_id: string; changes: readonly EvidenceChanged[] }) =>
      `The evidence of ${run_id} is not what you were shown: ${changes.map(({ path, how }) => `${path} was ${how}`).join(', ')}. Nothing was recorded. Look at it again: sekisho approve ${run_id}`,
    ja: ({ run_id, changes }) =>
      `${run_id} の証拠は表示されたものと異なります: ${changes.map(({ path, how }) => `${path} (${{ added: '追加', changed: '変更', removed: '削除' }[how]})`).join('、')}。何も記録されていません。もう一度確認してください: sekisho approve ${run_id}`,
  },
  NOTHING_TO_APPROVE: {
    en: ({ run_id, state, given }: { run_id: string; state: string; given: boolean }) =>
      given
        ? `You have approved ${run_id} already, for the evidence as it is. It waits for somebody else.`
        : `Nothing waits for an approval in the state "${state}" of ${run_id}. sekisho approve lists what does.`,
    ja: ({ run_id, state, given }) =>
      given
        ? `${run_id} の現在の証拠は、すでにあなたが承認しています。ほかの人の承認を待っています。`
        : `${run_id} の状態「${state}」で承認を待っているものはありません。sekisho approve で一覧を確認できます。`,
  },
  GUARD_FAILED: {
    en: (_params: { missing: readonly string[]; waits: string | null }) => 'Guard conditions not satisfied',
    ja: () => 'Guard conditions not satisfied',
  },
});

export const refusal = defineRefusals({
  /** The event, the role, or every transition of this state excludes the actor's role. */
  event: {
    en: (why: { role: string; event: string; by: RoleFault | 'transition' }) =>
      ({
        event: `The role "${why.role}" may not emit "${why.event}". Ask someone whose role the event admits.`,
        role: `The process does not let the role "${why.role}" emit "${why.event}".`,
        approve: `The role "${why.role}" cannot approve (can_approve). Ask a reviewer: sekisho approve.`,
        reject: `The role "${why.role}" cannot reject (can_reject). Ask a reviewer: sekisho reject.`,
        posing: `In this process the role "${why.role}" is a person's, and this connection is an agent's.`,
        transition: `In this state no transition of "${why.event}" admits the role "${why.role}".`,
      })[why.by],
    ja: (why) =>
      ({
        event: `ロール「${why.role}」はイベント「${why.event}」を発行できません。許可されたロールの人に依頼してください。`,
        role: `このプロセスではロール「${why.role}」に「${why.event}」の発行が許可されていません。`,
        approve: `ロール「${why.role}」には承認権限 (can_approve) がありません。レビュー担当者に依頼してください: sekisho approve`,
        reject: `ロール「${why.role}」には却下権限 (can_reject) がありません。レビュー担当者に依頼してください: sekisho reject`,
        posing: `このプロセスではロール「${why.role}」は人のものですが、この接続はエージェントのものです。`,
        transition: `現在の状態では、ロール「${why.role}」が「${why.event}」で進める遷移がありません。`,
      })[why.by],
  },
  /** The current state's `tool_permissions`. */
  tool: {
    en: (why: {
      tool: string;
      state: string;
      process: string;
      run_id: string;
      ask: boolean;
      opens: readonly string[];
    }) =>
      `${why.ask ? 'A person has to be asked before' : 'The process does not permit'} ${why.tool} in the state "${why.state}" of ${why.process} (${why.run_id}). ${
        why.opens.length > 0 ? `To move on, emit: ${listedEn(why.opens)}. ` : ''
      }See state_gate.get_state for what is missing.`,
    ja: (why) =>
      `${why.process} の状態「${why.state}」(${why.run_id}) では ${why.tool} ${why.ask ? 'の実行に人の確認が必要です' : 'は許可されていません'}。${
        why.opens.length > 0 ? `先へ進むには次のイベントを発行してください: ${listedJa(why.opens)}。` : ''
      }不足しているものは state_gate.get_state で確認できます。`,
  },
});
