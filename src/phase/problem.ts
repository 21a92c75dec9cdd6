import { defineProblems } from '../kernel/problem.ts';
import { definePhrases } from '../kernel/text/text.ts';

/** What helps where a prompt is missing depends on where it was looked for. */
export type PromptRemedy = 'file' | 'publish' | 'configure' | 'server';

const listedEn = (items: readonly string[]) => items.join(', ') || 'none';
const listedJa = (items: readonly string[]) => items.join('、') || 'なし';

export const problem = defineProblems({
  PHASE_NOT_FOUND: {
    en: ({ phase: id, known }: { phase: string; known: readonly string[] }) =>
      `There is no phase "${id}". The phases of this project: ${listedEn(known)}.`,
    ja: ({ phase: id, known }) => `フェーズ「${id}」はありません。このプロジェクトのフェーズ: ${listedJa(known)}。`,
  },
  /** The sentence of the document. `details` say where it was looked for and how to provide it. */
  PROMPT_NOT_FOUND: {
    en: ({ phase: id }: { phase: string }) => `Prompt not found for phase: ${id}`,
    ja: ({ phase: id }) => `Prompt not found for phase: ${id}`,
  },
  INVALID_PHASE_TRANSITION: {
    en: ({
      phase: id,
      current,
      why,
    }: {
      phase: string;
      current: string | undefined;
      why: 'other' | 'finished' | 'aborted' | 'plan';
    }) =>
      ({
        other: `"${id}" is not in progress; "${current}" is. Finish that one first (get_phase_context shows where it stands).`,
        finished: `All phases are finished, so "${id}" cannot be left. A person begins anew with: sekisho phase restart`,
        aborted: `The run of the phases was aborted, so "${id}" cannot be left. A person begins anew with: sekisho phase restart`,
        plan: `"${id}" is not part of the plan that was begun; "${current}" is in progress. A person begins the new plan with: sekisho phase restart`,
      })[why],
    ja: ({ phase: id, current, why }) =>
      ({
        other: `「${id}」は進行中ではありません。進行中は「${current}」です。先にそちらを完了してください (状況は get_phase_context で確認できます)。`,
        finished: `すべてのフェーズが完了しているため、「${id}」から遷移できません。最初からやり直すには、人が次を実行します: sekisho phase restart`,
        aborted: `フェーズの run が中止されているため、「${id}」から遷移できません。最初からやり直すには、人が次を実行します: sekisho phase restart`,
        plan: `「${id}」は開始済みの計画に含まれていません。進行中は「${current}」です。新しい計画を始めるには、人が次を実行します: sekisho phase restart`,
      })[why],
  },
  CLOUD_API_ERROR: {
    en: ({ reason }: { reason: string }) => `Failed to fetch prompt from Cloud API: ${reason}`,
    ja: ({ reason }) => `Failed to fetch prompt from Cloud API: ${reason}`,
  },
  LABEL_NOT_FOUND: {
    en: ({ prompt, label, known }: { prompt: string; label: string; known: readonly string[] }) =>
      `The prompt "${prompt}" has no ${label} to use. It has: ${listedEn(known)}.`,
    ja: ({ prompt, label, known }) => `プロンプト「${prompt}」に ${label} はありません。あるもの: ${listedJa(known)}。`,
  },
  NO_EARLIER_VERSION: {
    en: ({ prompt, label, version }: { prompt: string; label: string; version: number }) =>
      `Nothing else was served as ${label} of the prompt "${prompt}" before version ${version}. Name a version: sekisho phase rollback ${prompt} --to N`,
    ja: ({ prompt, label, version }) =>
      `プロンプト「${prompt}」の ${label} として、バージョン ${version} より前に公開されていた別の文面はありません。バージョンを指定してください: sekisho phase rollback ${prompt} --to N`,
  },
  VERSION_CONFLICT: {
    en: ({ prompt, expected, current }: { prompt: string; expected: number; current: number }) =>
      `The prompt "${prompt}" is at version ${current}, not ${expected}: somebody published meanwhile. Look at the difference, then publish again.`,
    ja: ({ prompt, expected, current }) =>
      `プロンプト「${prompt}」はバージョン ${expected} ではなく ${current} です。その間に誰かが公開しました。差分を確認してから公開し直してください。`,
  },
});

export const phrase = definePhrases({
  /** Only a person may. */
  changePrompts: { en: () => 'change prompts', ja: () => 'プロンプトの変更' },
  /** How to provide a prompt that was not found. */
  providePrompt: {
    en: ({ prompt, remedy }: { prompt: string; remedy: PromptRemedy }) =>
      ({
        file: `Write it to ${prompt}.md in that folder.`,
        publish: `Publish it: sekisho phase publish ${prompt} --file ${prompt}.md`,
        configure: 'Write it to .sekisho/prompts, or name a source under phases in .sekisho/config.yaml.',
        server: 'Ask the people who run that server to publish it.',
      })[remedy],
    ja: ({ prompt, remedy }) =>
      ({
        file: `そのフォルダーに ${prompt}.md を作成してください。`,
        publish: `公開してください: sekisho phase publish ${prompt} --file ${prompt}.md`,
        configure: '.sekisho/prompts に作成するか、.sekisho/config.yaml の phases で取得元を指定してください。',
        server: 'そのサーバーの管理者に公開を依頼してください。',
      })[remedy],
  },
  completed: {
    en: ({ phase: id, next }: { phase: string; next: string }) =>
      `Phase ${id} completed successfully. Transitioning to Phase ${next}...`,
    ja: ({ phase: id, next }) => `Phase ${id} completed successfully. Transitioning to Phase ${next}...`,
  },
  finished: {
    en: ({ phase: id }: { phase: string }) => `Phase ${id} completed. All phases finished!`,
    ja: ({ phase: id }) => `Phase ${id} completed. All phases finished!`,
  },
  kept: {
    en: ({ phase: id, status }: { phase: string; status: 'partial' | 'failed' }) =>
      `Phase ${id} result saved as ${status}. Phase ${id} stays in progress; report completed when it is done.`,
    ja: ({ phase: id, status }) =>
      `Phase ${id} の結果を ${status} として保存しました。Phase ${id} は進行中のままです。終わったら completed で報告してください。`,
  },
  checkpoint: {
    en: ({ phase: id, checkpoint }: { phase: string; checkpoint: string }) =>
      `Phase ${id} progress saved at checkpoint: ${checkpoint}`,
    ja: ({ phase: id, checkpoint }) => `Phase ${id} progress saved at checkpoint: ${checkpoint}`,
  },
  blocked: {
    en: ({ phase: id }: { phase: string }) =>
      `Provide what missing_guards names, then call transition_to_next_phase for ${id} again. Nothing of this result was kept but its files.`,
    ja: ({ phase: id }) =>
      `missing_guards に示されたものを用意してから、${id} の transition_to_next_phase をもう一度呼び出してください。今回の結果のうち保存されたのはファイルだけです。`,
  },
  previous: {
    en: () => 'Results of the previous phases',
    ja: () => '前フェーズの結果',
  },
  restart: {
    en: ({ completed, current }: { completed: readonly string[]; current: string }) =>
      `${completed.length > 0 ? `${completed.join(', ')} completed, ` : ''}${current} in progress`,
    ja: ({ completed, current }) =>
      `${completed.length > 0 ? `完了: ${completed.join(', ')}、` : ''}進行中: ${current}`,
  },
  command: {
    en: ({ phase: id }: { phase: string }) => `The prompt of ${id}`,
    ja: ({ phase: id }) => `${id} のプロンプト`,
  },
  argument: {
    en: () => 'Root of the project, where it is not the server’s own',
    ja: () => 'サーバーのプロジェクトと異なる場合の、プロジェクトのルートパス',
  },
  promptStale: {
    en: ({ source, reason, since }: { source: string; reason: string; since: string }) =>
      `${source} cannot be reached (${reason}); this text was last confirmed at ${since} and may be out of date.`,
    ja: ({ source, reason, since }) =>
      `${source} に接続できません (${reason})。この文面は ${since} に確認したもので、古い可能性があります。`,
  },
  noUrl: {
    en: ({ given }: { given: string }) => `${given} is no URL`,
    ja: ({ given }) => `${given} は URL ではありません`,
  },
  answerTooLarge: {
    en: ({ most }: { most: number }) => `the answer is larger than ${most} bytes`,
    ja: ({ most }) => `応答が ${most} バイトを超えています`,
  },
  noAnswerWithin: {
    en: ({ ms }: { ms: number }) => `no answer within ${ms} ms`,
    ja: ({ ms }) => `${ms} ミリ秒以内に応答がありません`,
  },
  noAnswer: { en: () => 'no answer in time', ja: () => '時間内に応答がありません' },
  promptInsecure: {
    en: () => 'plain http to another machine is refused; use https, or set phases.allowHttp',
    ja: () =>
      '別のマシンへの暗号化されていない http は拒否されます。https を使うか、phases.allowHttp を設定してください',
  },
  promptVariable: {
    en: ({ variable, prompt }: { variable: string; prompt: string }) =>
      `the prompt ${prompt} needs {{${variable}}}, which has no value${variable.startsWith('context.') ? `; pass it as ${variable}` : ''}`,
    ja: ({ variable, prompt }) =>
      `プロンプト ${prompt} に必要な {{${variable}}} の値がありません${variable.startsWith('context.') ? `。${variable} として渡してください` : ''}`,
  },
  promptCycle: {
    en: ({ trail }: { trail: string }) => `the prompt includes itself: ${trail}`,
    ja: ({ trail }) => `プロンプトが自分自身を取り込んでいます: ${trail}`,
  },
  promptDeep: {
    en: ({ limit }: { limit: number }) => `includes are nested more than ${limit} deep`,
    ja: ({ limit }) => `取り込みの入れ子が ${limit} 段を超えています`,
  },
  promptTooLarge: {
    en: ({ bytes, limit }: { bytes: number; limit: number }) =>
      `it has ${bytes} bytes, at most ${limit} are kept; write the rest to a file and name it in outputFiles`,
    ja: ({ bytes, limit }) =>
      `${bytes} バイトあります。保存できるのは ${limit} バイトまでです。残りはファイルに書き、outputFiles で示してください`,
  },
  promptEmpty: {
    en: () => 'it is empty; write what the agent shall do',
    ja: () => '中身が空です。エージェントが何をすべきかを書いてください',
  },
  promptName: {
    en: ({ name }: { name: string }) =>
      `"${name}" is no name for a prompt: letters, digits, dot, dash and underscore only`,
    ja: ({ name }) =>
      `「${name}」はプロンプトの名前に使えません。使えるのは文字、数字、ピリオド、ハイフン、アンダースコアだけです`,
  },
});
