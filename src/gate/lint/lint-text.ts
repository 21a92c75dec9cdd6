import { definePhrases } from '../../kernel/text/text.ts';

type Name = { readonly name: string };
type Known = { readonly known: readonly string[] };

const listedEn = (words: readonly string[]) => words.join(', ') || 'none';
const listedJa = (words: readonly string[]) => words.join(', ') || 'なし';

/** What lint says of names. Each finding has a sentence and, behind it, what to do. */
export const lintText = definePhrases({
  wildcardState: {
    en: () => 'A transition cannot start from or lead to "*".',
    ja: () => '遷移の from と to に "*" は使えません。',
  },
  oneEachState: { en: () => 'Write one transition for each state.', ja: () => '状態ごとに遷移を書いてください。' },
  noState: {
    en: ({ name }: Name) => `There is no state "${name}".`,
    ja: ({ name }) => `状態「${name}」はありません。`,
  },
  useOne: {
    en: ({ known }: Known) => `Use one of: ${listedEn(known)}.`,
    ja: ({ known }) => `使えるもの: ${listedJa(known)}。`,
  },
  useOneOrAdd: {
    en: ({ known, section }: Known & { section: string }) =>
      `Use one of: ${listedEn(known)}, or add it under ${section}.`,
    ja: ({ known, section }) => `使えるもの: ${listedJa(known)}。または ${section} に追加してください。`,
  },
  noEvent: {
    en: ({ name }: Name) => `There is no event "${name}".`,
    ja: ({ name }) => `イベント「${name}」はありません。`,
  },
  wildcardRoles: {
    en: () => '"*" admits every role, so the others in this list mean nothing.',
    ja: () => '"*" はすべてのロールを認めるため、この一覧のほかのロールは意味を持ちません。',
  },
  allOrNameRoles: {
    en: () => 'Write ["*"], or name the roles.',
    ja: () => '["*"] とするか、ロール名を並べてください。',
  },
  partWildcard: {
    en: ({ name }: Name) => `"${name}" is no role: "*" stands only for every role.`,
    ja: ({ name }) => `「${name}」はロールではありません。"*" はすべてのロールを表すときだけ使えます。`,
  },
  wholeName: { en: () => 'Write "*" or a whole name.', ja: () => '"*" か、名前の全体を書いてください。' },
  noRole: {
    en: ({ name }: Name) => `There is no role "${name}".`,
    ja: ({ name }) => `ロール「${name}」はありません。`,
  },
  noArtifactType: {
    en: ({ name }: Name) => `There is no artifact type "${name}".`,
    ja: ({ name }) => `アーティファクトの種類「${name}」はありません。`,
  },
  isTerminal: {
    en: () => 'is_terminal is read as is_final.',
    ja: () => 'is_terminal は is_final として読み込まれます。',
  },
  writeIsFinal: { en: () => 'Write is_final.', ja: () => 'is_final と書いてください。' },
  requiredInStates: {
    en: () =>
      'required_in_states is read as required_artifacts of those states. A run leaves the state without them all the same, unless a guard asks for them.',
    ja: () =>
      'required_in_states は、その状態の required_artifacts として読み込まれます。ガードで求めない限り、なくても状態を離れられます。',
  },
  writeRequired: {
    en: () => 'Write required_artifacts in the states.',
    ja: () => '状態に required_artifacts を書いてください。',
  },
  requiredForTransitions: {
    en: () => 'required_for_transitions is read and means nothing.',
    ja: () => 'required_for_transitions は読み込まれますが、効果はありません。',
  },
  guardTransitions: {
    en: () => 'Guard the transitions with { type: artifact, artifact_type: … }.',
    ja: () => '遷移に { type: artifact, artifact_type: … } のガードを付けてください。',
  },
  guardTwice: { en: () => 'guard and guards are both given.', ja: () => 'guard と guards の両方があります。' },
  keepOne: { en: () => 'Keep one of them.', ja: () => 'どちらか一方にしてください。' },
  wildcardEvents: {
    en: () => '"*" admits every event, so the others in this list mean nothing.',
    ja: () => '"*" はすべてのイベントを認めるため、この一覧のほかのイベントは意味を持ちません。',
  },
  allOrNameEvents: {
    en: () => 'Write ["*"], or name the events.',
    ja: () => '["*"] とするか、イベント名を並べてください。',
  },
  twice: {
    en: ({ name, section }: Name & { section: string }) => `"${name}" stands twice under ${section}.`,
    ja: ({ name, section }) => `「${name}」が ${section} に 2 回あります。`,
  },
  renameOne: {
    en: () => 'Rename or remove one of them.',
    ja: () => '一方の名前を変えるか、削除してください。',
  },
  agentDecides: {
    en: ({ name }: Name) => `The role "${name}" approves or rejects, so it cannot be an agent's.`,
    ja: ({ name }) => `ロール「${name}」は承認や差し戻しを行うため、エージェントのものにはできません。`,
  },
  anotherRole: {
    en: () => 'Remove kind: agent, or let another role approve.',
    ja: () => 'kind: agent を削除するか、別のロールに承認させてください。',
  },
  agentNever: {
    en: () => 'An agent never approves or rejects: what it says so is not counted.',
    ja: () => 'エージェントの承認や差し戻しは数えられません。',
  },
  personApproves: {
    en: () => 'Let another role approve; it is a person’s.',
    ja: () => '人のロールに承認させてください。',
  },
});
