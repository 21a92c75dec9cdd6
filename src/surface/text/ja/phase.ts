import type { SomeTexts } from '../../texts.ts';

const list = (items: readonly string[]) => items.join('、') || 'なし';

export const phase = {
  problems: {
    PHASE_NOT_FOUND: ({ phase: id, known }) =>
      `フェーズ「${id}」はありません。このプロジェクトのフェーズ: ${list(known)}。`,
    PROMPT_NOT_FOUND: ({ prompt, source, includedBy, remedy }) =>
      `Prompt not found for phase: ${prompt}${includedBy === undefined ? '' : `（${includedBy} から参照）`}。探した場所: ${source}。${
        {
          file: `そのフォルダに ${prompt}.md を作成してください。`,
          publish: `公開してください: sekisho phase publish ${prompt} --file ${prompt}.md`,
          configure: '.sekisho/prompts に作成するか、.sekisho/config.yaml の phases で取得元を指定してください。',
          server: 'そのサーバーの管理者に公開を依頼してください。',
        }[remedy]
      }`,
    INVALID_PHASE_TRANSITION: ({ phase: id, current, why }) =>
      ({
        other: `「${id}」は進行中ではありません。進行中は「${current}」です。先にそちらを完了してください（状況は get_phase_context で確認できます）。`,
        finished: `すべてのフェーズが完了しているため、「${id}」から遷移できません。最初からやり直すには、人が次を実行します: sekisho phase restart`,
        plan: `「${id}」は開始済みの計画に含まれていません。進行中は「${current}」です。新しい計画を始めるには、人が次を実行します: sekisho phase restart`,
      })[why],
    CLOUD_API_ERROR: ({ prompt, url, reason }) =>
      `Failed to fetch prompt from Cloud API: ${reason}（${url} の ${prompt}）`,
    LABEL_NOT_FOUND: ({ prompt, label, known }) =>
      `プロンプト「${prompt}」に ${label} はありません。あるもの: ${list(known)}。`,
    VERSION_CONFLICT: ({ prompt, expected, current }) =>
      `プロンプト「${prompt}」はバージョン ${expected} ではなく ${current} です。その間に誰かが公開しました。差分を確認してから公開し直してください。`,
  },
  refusals: {},
  phrases: {
    // 文書の例文のまま。
    'phase.completed': ({ phase: id, next }) => `Phase ${id} completed successfully. Transitioning to Phase ${next}...`,
    'phase.finished': ({ phase: id }) => `Phase ${id} completed. All phases finished!`,
    'phase.kept': ({ phase: id, status }) =>
      `Phase ${id} の結果を ${status} として保存しました。Phase ${id} は進行中のままです。終わったら completed で報告してください。`,
    'phase.checkpoint': ({ phase: id, checkpoint }) => `Phase ${id} progress saved at checkpoint: ${checkpoint}`,
    'phase.blocked': ({ phase: id }) =>
      `missing_guards に示されたものを用意してから、${id} の transition_to_next_phase をもう一度呼び出してください。今回の結果のうち保存されたのはファイルだけです。`,
    'phase.previous': () => '前フェーズの結果',
    'phase.command': ({ phase: id }) => `${id} のプロンプト`,
    'phase.argument': () => 'サーバーのプロジェクトと異なる場合の、プロジェクトのルートパス',
    'prompt.stale': ({ source, reason, since }) =>
      `${source} に接続できません（${reason}）。この文面は ${since} に確認したもので、古い可能性があります。`,
    'prompt.insecure': () =>
      '別のマシンへの暗号化されていない http は拒否されます。https を使うか、phases.allowHttp を設定してください',
    'prompt.variable': ({ variable, prompt }) =>
      `プロンプト ${prompt} に必要な {{${variable}}} の値がありません${variable.startsWith('context.') ? `。${variable} として渡してください` : ''}`,
    'prompt.cycle': ({ trail }) => `プロンプトが自分自身を取り込んでいます: ${trail}`,
    'prompt.deep': ({ limit }) => `取り込みの入れ子が ${limit} 段を超えています`,
    'prompt.too_large': ({ bytes, limit }) =>
      `${bytes} バイトあります。保存できるのは ${limit} バイトまでです。残りはファイルに書き、outputFiles で示してください`,
    'prompt.name': ({ name }) =>
      `「${name}」はプロンプトの名前に使えません。使えるのは文字、数字、ピリオド、ハイフン、アンダースコアだけです`,
  },
} satisfies SomeTexts;
