import { definePhrases } from '../../kernel/text/text.ts';

type Name = { readonly name: string };

/** What lint says of the machine as a graph. */
export const shapeText = definePhrases({
  noFinal: {
    en: () => 'No state is final, so no run can ever end.',
    ja: () => '最終状態がないため、どの run も終わりません。',
  },
  markFinal: {
    en: () => 'Mark one with is_final: true.',
    ja: () => 'いずれかの状態に is_final: true を付けてください。',
  },
  unreachable: {
    en: ({ name }: Name) => `No transition leads to "${name}".`,
    ja: ({ name }) => `「${name}」に至る遷移がありません。`,
  },
  addOrRemoveState: {
    en: () => 'Add a transition to it, or remove it.',
    ja: () => 'そこへの遷移を追加するか、状態を削除してください。',
  },
  leavesFinal: {
    en: ({ name }: Name) => `"${name}" is final: a run that is there is over, so this transition never happens.`,
    ja: ({ name }) => `「${name}」は最終状態です。そこで run は終わるため、この遷移は起こりません。`,
  },
  removeFinal: {
    en: () => 'Remove the transition or is_final.',
    ja: () => '遷移か is_final を削除してください。',
  },
  deadEnd: {
    en: ({ name }: Name) => `From "${name}" no final state can be reached.`,
    ja: ({ name }) => `「${name}」からは最終状態に到達できません。`,
  },
  leadOn: {
    en: () => 'Add a transition that leads on, or mark it is_final.',
    ja: () => '先へ進む遷移を追加するか、is_final を付けてください。',
  },
  unwatched: {
    en: ({ name }: Name) =>
      `"${name}" denies editing tools, but a shell or another server can still edit: no way out of it looks at the files.`,
    ja: ({ name }) =>
      `「${name}」は編集ツールを禁止していますが、シェルやほかのサーバーからは編集できます。どの出口もファイルを調べていません。`,
  },
  watch: {
    en: () => 'Guard its way out with { type: worktree, changed_only: […] }.',
    ja: () => '出口に { type: worktree, changed_only: […] } のガードを付けてください。',
  },
  locked: {
    en: ({ name }: Name) => `In "${name}" the gate's own emit_event is denied, so an agent can never leave it.`,
    ja: ({ name }) =>
      `「${name}」ではゲート自身の emit_event が禁止されているため、エージェントはここから出られません。`,
  },
  unlock: { en: () => 'Take state_gate out of denied.', ja: () => 'denied から state_gate を外してください。' },
  unusedEvent: {
    en: ({ name }: Name) => `No transition uses the event "${name}".`,
    ja: ({ name }) => `イベント「${name}」を使う遷移がありません。`,
  },
  addOrRemoveEvent: {
    en: () => 'Add a transition or remove the event.',
    ja: () => '遷移を追加するか、イベントを削除してください。',
  },
  shadowed: {
    en: () => 'An earlier unguarded transition of the same state and event always wins.',
    ja: () => '同じ状態とイベントで、ガードのない遷移が前にあるため、常にそちらが選ばれます。',
  },
  guardOne: {
    en: () => 'Guard one of them or remove this one.',
    ja: () => 'どちらかにガードを付けるか、この遷移を削除してください。',
  },
});
