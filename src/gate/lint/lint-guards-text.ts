import { definePhrases } from '../../kernel/text/text.ts';

type Name = { readonly name: string };

/** What lint says of guards. */
export const guardsText = definePhrases({
  noGuard: {
    en: ({ name }: Name) => `There is no guard "${name}".`,
    ja: ({ name }) => `ガード「${name}」はありません。`,
  },
  cycle: {
    en: ({ name, trail }: Name & { trail: readonly string[] }) =>
      `The guard "${name}" contains itself (${trail.join(' → ')}).`,
    ja: ({ name, trail }) => `ガード「${name}」が自分自身を含んでいます (${trail.join(' → ')})。`,
  },
  breakCycle: { en: () => 'Break the circle.', ja: () => '循環をなくしてください。' },
  noType: {
    en: ({ name }: Name) => `There is no guard of type "${name}".`,
    ja: ({ name }) => `種類「${name}」のガードはありません。`,
  },
  badGuard: {
    en: ({ type, wrong }: { type: string; wrong: { readonly en: string; readonly ja: string } }) =>
      `${type} guard: ${wrong.en}.`,
    ja: ({ type, wrong }) => `${type} ガード: ${wrong.ja}。`,
  },
  seeParameters: {
    en: () => 'See docs/process-language.md for its parameters.',
    ja: () => 'パラメーターは docs/ja/process-language.md をご覧ください。',
  },
  alwaysHolds: { en: () => 'min_count: 0 always holds.', ja: () => 'min_count: 0 は常に満たされます。' },
  askForOne: {
    en: () => 'Leave the guard out, or ask for at least one.',
    ja: () => 'ガードを外すか、1 以上にしてください。',
  },
  noApproval: {
    en: ({ name }: Name) => `There is no event "${name}" to approve with.`,
    ja: ({ name }) => `承認のためのイベント「${name}」がありません。`,
  },
  nameApproval: {
    en: () => 'Name the approving event of this process.',
    ja: () => 'このプロセスの承認のイベントを指定してください。',
  },
  noApprover: {
    en: ({ name }: Name) => `There is no role "${name}" to approve.`,
    ja: ({ name }) => `承認するロール「${name}」がありません。`,
  },
  unused: {
    en: ({ name }: Name) => `Nothing uses the guard "${name}".`,
    ja: ({ name }) => `ガード「${name}」は使われていません。`,
  },
  useOrRemove: {
    en: () => 'Use it in a transition or remove it.',
    ja: () => '遷移で使うか、削除してください。',
  },
  undeclared: {
    en: ({ name, variable }: Name & { variable: string }) =>
      `The guard "${name}" reads context.${variable}, which no event declares: a payload that has it is not merged.`,
    ja: ({ name, variable }) =>
      `ガード「${name}」が読む context.${variable} は、どのイベントでも宣言されていません。ペイロードにあっても取り込まれません。`,
  },
  declare: {
    en: ({ variable }: { variable: string }) =>
      `Declare ${variable} in an event's payload_schema or context, under inputs, or in initial_context.`,
    ja: ({ variable }) =>
      `${variable} を、イベントの payload_schema か context、inputs、または initial_context で宣言してください。`,
  },
  selfReported: {
    en: ({ name, variable, event }: Name & { variable: string; event: string }) =>
      `The guard "${name}" reads context.${variable}, which an agent sets itself with "${event}".`,
    ja: ({ name, variable, event }) =>
      `ガード「${name}」が読む context.${variable} は、エージェントが「${event}」で自分で設定できます。`,
  },
  guardEvidence: {
    en: () => 'Guard an artifact or a command instead, or let only a reviewer emit that event.',
    ja: () => '代わりにアーティファクトやコマンドを調べるか、そのイベントをレビュー担当だけに許可してください。',
  },
});
