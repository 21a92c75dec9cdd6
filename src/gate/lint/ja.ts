import type { Japanese } from '../../kernel/text/text.ts';
import { listJapanese } from '../../kernel/text/list.ts';
import type { english as guardsTextEnglish } from './lint-guards-text.ts';
import type { english as shapeTextEnglish } from './lint-shape-text.ts';
import type { english as lintTextEnglish } from './lint-text.ts';

export const guardsText: Japanese<typeof guardsTextEnglish> = {
  noGuard: ({ name }) => `ガード「${name}」はありません。`,
  cycle: ({ name, trail }) => `ガード「${name}」が自分自身を含んでいます (${trail.join(' → ')})。`,
  breakCycle: () => '循環をなくしてください。',
  noType: ({ name }) => `種類「${name}」のガードはありません。`,
  badGuard: ({ type, wrong }) => `${type} ガード: ${wrong.ja}。`,
  seeParameters: () => 'パラメーターは docs/ja/process-language.md をご覧ください。',
  alwaysHolds: () => 'min_count: 0 は常に満たされます。',
  askForOne: () => 'ガードを外すか、1 以上にしてください。',
  noApproval: ({ name }) => `承認のためのイベント「${name}」がありません。`,
  nameApproval: () => 'このプロセスの承認のイベントを指定してください。',
  noApprover: ({ name }) => `承認するロール「${name}」がありません。`,
  unused: ({ name }) => `ガード「${name}」は使われていません。`,
  useOrRemove: () => '遷移で使うか、削除してください。',
  undeclared: ({ name, variable }) =>
    `ガード「${name}」が読む context.${variable} は、どのイベントでも宣言されていません。ペイロードにあっても取り込まれません。`,
  declare: ({ variable }) =>
    `${variable} を、イベントの payload_schema か context、inputs、または initial_context で宣言してください。`,
  selfReported: ({ name, variable, event }) =>
    `ガード「${name}」が読む context.${variable} は、エージェントが「${event}」で自分で設定できます。`,
  guardEvidence: () => '代わりに成果物やコマンドを調べるか、そのイベントをレビュー担当だけに許可してください。',
};

export const shapeText: Japanese<typeof shapeTextEnglish> = {
  noFinal: () => '最終状態がないため、どの run も終わりません。',
  markFinal: () => 'いずれかの状態に is_final: true を付けてください。',
  unreachable: ({ name }) => `「${name}」に至る遷移がありません。`,
  addOrRemoveState: () => 'そこへの遷移を追加するか、状態を削除してください。',
  leavesFinal: ({ name }) => `「${name}」は最終状態です。そこで run は終わるため、この遷移は起こりません。`,
  removeFinal: () => '遷移か is_final を削除してください。',
  deadEnd: ({ name }) => `「${name}」からは最終状態に到達できません。`,
  leadOn: () => '先へ進む遷移を追加するか、is_final を付けてください。',
  unwatched: ({ name }) =>
    `「${name}」は編集ツールを禁止していますが、シェルやほかのサーバーからは編集できます。どの出口もファイルを調べていません。`,
  watch: () => '出口に { type: worktree, changed_only: […] } のガードを付けてください。',
  locked: ({ name }) =>
    `「${name}」ではゲート自身の emit_event が禁止されているため、エージェントはここから出られません。`,
  unlock: () => 'denied から state_gate を外してください。',
  unusedEvent: ({ name }) => `イベント「${name}」を使う遷移がありません。`,
  addOrRemoveEvent: () => '遷移を追加するか、イベントを削除してください。',
  shadowed: () => '同じ状態とイベントで、ガードのない遷移が前にあるため、常にそちらが選ばれます。',
  guardOne: () => 'どちらかにガードを付けるか、この遷移を削除してください。',
};

export const lintText: Japanese<typeof lintTextEnglish> = {
  wildcardState: () => '遷移の from と to に "*" は使えません。',
  oneEachState: () => '状態ごとに遷移を書いてください。',
  noState: ({ name }) => `状態「${name}」はありません。`,
  useOne: ({ known }) => `使えるもの: ${listJapanese(known)}。`,
  useOneOrAdd: ({ known, section }) => `使えるもの: ${listJapanese(known)}。または ${section} に追加してください。`,
  noEvent: ({ name }) => `イベント「${name}」はありません。`,
  wildcardRoles: () => '"*" はすべてのロールを認めるため、この一覧のほかのロールは意味を持ちません。',
  allOrNameRoles: () => '["*"] とするか、ロール名を並べてください。',
  partWildcard: ({ name }) => `「${name}」はロールではありません。"*" はすべてのロールを表すときだけ使えます。`,
  wholeName: () => '"*" か、名前の全体を書いてください。',
  noRole: ({ name }) => `ロール「${name}」はありません。`,
  noArtifactType: ({ name }) => `成果物の種類「${name}」はありません。`,
  isTerminal: () => 'is_terminal は is_final として読み込まれます。',
  writeIsFinal: () => 'is_final と書いてください。',
  requiredInStates: () =>
    'required_in_states は、その状態の required_artifacts として読み込まれます。ガードで求めない限り、なくても状態を離れられます。',
  writeRequired: () => '状態に required_artifacts を書いてください。',
  requiredForTransitions: () => 'required_for_transitions は読み込まれますが、効果はありません。',
  guardTransitions: () => '遷移に { type: artifact, artifact_type: … } のガードを付けてください。',
  guardTwice: () => 'guard と guards の両方があります。',
  keepOne: () => 'どちらか一方にしてください。',
  wildcardEvents: () => '"*" はすべてのイベントを認めるため、この一覧のほかのイベントは意味を持ちません。',
  allOrNameEvents: () => '["*"] とするか、イベント名を並べてください。',
  twice: ({ name, section }) => `「${name}」が ${section} に 2 回あります。`,
  renameOne: () => '一方の名前を変えるか、削除してください。',
  agentDecides: ({ name }) => `ロール「${name}」は承認や差し戻しを行うため、エージェントのものにはできません。`,
  anotherRole: () => 'kind: agent を削除するか、別のロールに承認させてください。',
  agentNever: () => 'エージェントの承認や差し戻しは数えられません。',
  personApproves: () => '人のロールに承認させてください。',
};
