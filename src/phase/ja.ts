import type { Japanese } from '../kernel/text/text.ts';
import { listJapanese } from '../kernel/text/list.ts';
import type { english as introductionEnglish } from './introduction.ts';
import type { englishProblem as problemEnglish, englishPhrase as phraseEnglish } from './problem.ts';

export const introduction: Japanese<typeof introductionEnglish> = {
  phase: () => 'inject_phase_prompt でフェーズのプロンプトを得て、終わったら transition_to_next_phase で次へ進みます。',
};

export const problem: Japanese<typeof problemEnglish> = {
  PHASE_NOT_FOUND: ({ phase: id, known }) =>
    `フェーズ「${id}」はありません。このプロジェクトのフェーズ: ${listJapanese(known)}。`,
  PROMPT_NOT_FOUND: ({ phase: id }) => `Prompt not found for phase: ${id}`,
  INVALID_PHASE_TRANSITION: ({ phase: id, current, why }) =>
    ({
      other: `「${id}」は進行中ではありません。進行中は「${current}」です。先にそちらを完了してください (状況は get_phase_context で確認できます)。`,
      finished: `すべてのフェーズが完了しているため、「${id}」から遷移できません。最初からやり直すには、人が次を実行します: sekisho phase restart`,
      aborted: `フェーズの run が中止されているため、「${id}」から遷移できません。最初からやり直すには、人が次を実行します: sekisho phase restart`,
      plan: `「${id}」は開始済みの計画に含まれていません。進行中は「${current}」です。新しい計画を始めるには、人が次を実行します: sekisho phase restart`,
    })[why],
  CLOUD_API_ERROR: ({ reason }) => `Failed to fetch prompt from Cloud API: ${reason}`,
  LABEL_NOT_FOUND: ({ prompt, label, known }) =>
    `プロンプト「${prompt}」に ${label} はありません。あるもの: ${listJapanese(known)}。`,
  NO_EARLIER_VERSION: ({ prompt, label, version }) =>
    `プロンプト「${prompt}」の ${label} として、バージョン ${version} より前に公開されていた別の文面はありません。バージョンを指定してください: sekisho phase rollback ${prompt} --to N`,
  VERSION_CONFLICT: ({ prompt, expected, current }) =>
    `プロンプト「${prompt}」はバージョン ${expected} ではなく ${current} です。その間に誰かが公開しました。差分を確認してから公開し直してください。`,
};

export const phrase: Japanese<typeof phraseEnglish> = {
  changePrompts: () => 'プロンプトの変更',
  providePrompt: ({ prompt, remedy }) =>
    ({
      file: `そのフォルダーに ${prompt}.md を作成してください。`,
      publish: `公開してください: sekisho phase publish ${prompt} --file ${prompt}.md`,
      configure: '.sekisho/prompts に作成するか、.sekisho/config.yaml の phases で取得元を指定してください。',
      server: 'そのサーバーの管理者に公開を依頼してください。',
    })[remedy],
  completed: ({ phase: id, next }) => `Phase ${id} completed successfully. Transitioning to Phase ${next}...`,
  finished: ({ phase: id }) => `Phase ${id} completed. All phases finished!`,
  kept: ({ phase: id, status }) =>
    `Phase ${id} の結果を ${status} として保存しました。Phase ${id} は進行中のままです。終わったら completed で報告してください。`,
  checkpoint: ({ phase: id, checkpoint }) => `Phase ${id} progress saved at checkpoint: ${checkpoint}`,
  blocked: ({ phase: id }) =>
    `missing_guards に示されたものを用意してから、${id} の transition_to_next_phase をもう一度呼び出してください。今回の結果のうち保存されたのはファイルだけです。`,
  previous: () => '前フェーズの結果',
  restart: ({ completed, current }) =>
    `${completed.length > 0 ? `完了: ${completed.join(', ')}、` : ''}進行中: ${current}`,
  command: ({ phase: id }) => `${id} のプロンプト`,
  argument: () => 'サーバーのプロジェクトと異なる場合の、プロジェクトのルートパス',
  promptStale: ({ source, reason, since }) =>
    `${source} に接続できません (${reason})。この文面は ${since} に確認したもので、古い可能性があります。`,
  noUrl: ({ given }) => `${given} は URL ではありません`,
  answerTooLarge: ({ most }) => `応答が ${most} バイトを超えています`,
  noAnswerWithin: ({ ms }) => `${ms} ミリ秒以内に応答がありません`,
  noAnswer: () => '時間内に応答がありません',
  promptInsecure: () =>
    '別のマシンへの暗号化されていない http は拒否されます。https を使うか、phases.allowHttp を設定してください',
  promptVariable: ({ variable, prompt }) =>
    `プロンプト ${prompt} に必要な {{${variable}}} の値がありません${variable.startsWith('context.') ? `。${variable} として渡してください` : ''}`,
  promptCycle: ({ trail }) => `プロンプトが自分自身を取り込んでいます: ${trail}`,
  promptDeep: ({ limit }) => `取り込みの入れ子が ${limit} 段を超えています`,
  promptTooLarge: ({ bytes, limit }) =>
    `${bytes} バイトあります。上限は ${limit} バイトです。残りはファイルに書き、outputFiles で示してください`,
  promptEmpty: () => '中身が空です。エージェントが何をすべきかを書いてください',
  promptName: ({ name }) =>
    `「${name}」はプロンプトの名前に使えません。使えるのは文字、数字、ピリオド、ハイフン、アンダースコアだけです`,
};

/** By their English. `words.ts` accepts no other. */
export const words = {
  'letters, digits, dot, dash and underscore only, at most 100':
    '使えるのは英数字、ドット、ハイフン、アンダースコアだけで、100 文字以内です',
  'a prompt must not be empty': 'プロンプトは空にできません',
  'each phase only once': '同じフェーズは 1 度だけ指定できます',
  'Root of a project other than the server’s; need not exist':
    'サーバーとは別のプロジェクトのルート (存在しなくてもかまいません)',
  'Name of the prompt: a phase, or a part that others include':
    'プロンプトの名前 (フェーズ、またはほかから取り込まれる部品)',
  'latest always points at the newest version': 'latest は常に最新のバージョンを指します',
  'Which version each label points at': '各ラベルが指すバージョン',
  'What changed between two versions of a prompt.': 'プロンプトの 2 つのバージョンの違いを返します。',
  'If omitted, the version before to': '比較元 (省略すると to の 1 つ前)',
  'If omitted, the newest': '比較先 (省略すると最新)',
  'The progress of a phase: status, times, latest result, output files and checkpoints.':
    'フェーズの状況です。状態、時刻、最新の結果、出力ファイル、チェックポイントを返します。',
  'Which phase': 'フェーズの ID',
  'Include the latest result and the checkpoints': '最新の結果とチェックポイントも含める',
  'Newest last': '新しいものが最後',
  'Cursor for earlier checkpoints': 'これらより前のチェックポイント',
  'The prompt of a phase: read it when the phase begins and follow it.':
    'フェーズのプロンプトです。フェーズの開始時に読み、それに従ってください。',
  'Which phase; the configuration names them (phase0 … phase4 by default)':
    'フェーズの ID (設定で決まります。既定は phase0 … phase4)',
  'Root of a project other than the server’s': 'サーバーとは別のプロジェクトのルート',
  'Results of the previous phases': '前のフェーズの結果',
  'Values for the prompt; {{context.NAME}} in it is filled from here':
    'プロンプトに入れる値。{{context.NAME}} がここから埋められます',
  'SHA-256 of the prompt as its source has it': '取得元のプロンプトの SHA-256',
  'Point a label of a prompt at a version.': 'プロンプトのラベルを、あるバージョンに付けます。',
  'production, or a label of your own': 'production、または独自のラベル',
  'The version that the label points at': 'ラベルを付けるバージョン',
  'All versions of a published prompt, newest first: who published each and when.':
    '公開されたプロンプトの全バージョンを新しい順に返します。誰がいつ公開したかが分かります。',
  'The prompts that were published in the store, with their newest versions and labels.':
    'データベースに公開されたプロンプトの一覧です。最新のバージョンとラベルが分かります。',
  'Source of the prompts for clients of this project: store, shipped, a folder or a URL':
    'このプロジェクトのクライアントへの配信元 (store、shipped、フォルダー、URL のいずれか)',
  'The label that they get; null if the store is not the source':
    'クライアントに配信されるラベル (配信元が store でなければ null)',
  'All phases of a project, and what the phase in progress still lacks.':
    'プロジェクトの全フェーズと、進行中のフェーズに不足しているものを返します。',
  'Status of the run of the phases; aborted: a person restarts it with sekisho phase restart':
    'フェーズの run の状況 (aborted の場合は、人が sekisho phase restart で最初から始めます)',
  'A prompt as its reader would get it, with includes and variables filled in. The journal does not record it as served.':
    '読み手が受け取る形のプロンプトです。include と変数を埋めて返します。配信はされず、ジャーナルにも残りません。',
  'A version of the store': 'データベースのバージョン',
  'A label of the store: production, latest or another': 'データベースのラベル (production、latest など)',
  'Values of variables, by the name in the braces': '変数の値 (波括弧の中の名前で指定)',
  'A variable without a value stays in its braces': '値のない変数は波括弧のまま残ります',
  'True if the project or the caller gives a value': 'プロジェクトまたは呼び出し元が値を与えたか',
  'Included prompts': '取り込まれたほかのプロンプト',
  'Publish a new version of a prompt in the store. Versions never change; production points at the new one.':
    'プロンプトの新しいバージョンをデータベースに公開します。公開済みのバージョンは変わりません。production は新しいものを指します。',
  'The text, front matter allowed': '本文 (フロントマターも書けます)',
  'A file of the project, instead of content': '本文の代わりに使うプロジェクトのファイル',
  'Title; if omitted, the one in the front matter': '題名 (省略するとフロントマターの値)',
  'What changed': '変更点',
  'The labels that point at it; use another label to test it first': '付けるラベル。先に試すときは別のラベルを指定',
  'The newest version that you know; refused if there is a newer one':
    '知っている最新のバージョン。より新しいものがあれば拒否されます',
  'Whether clients of this project now get this version':
    'このプロジェクトのクライアントにこのバージョンが配信されるか',
  'give either content or file': 'content か file のどちらか一方を指定してください',
  'Restart the phases of a project with the current plan. Earlier results stay in the history.':
    'プロジェクトのフェーズを、今の設定の計画で最初から始めます。これまでの内容は履歴に残ります。',
  'Roll a prompt back to the previous version of its label, one step per call, or to the version that you name.':
    'プロンプトを前のバージョンに戻します。指定がなければ、ラベルが前に指していたものへ 1 つずつ戻ります。',
  'Which version; if omitted, the previous one': '戻す先のバージョン (省略すると 1 つ前)',
  'Which label to roll back': '戻すラベル',
  'Save a checkpoint of a phase without leaving it.': 'フェーズを離れずにチェックポイントを保存します。',
  'Name of the checkpoint': 'チェックポイントの名前',
  'What to keep': '保存する内容',
  'The checkpoint; further fields are kept': 'チェックポイント (ほかの項目も保存されます)',
  'A prompt as it is written: what the source serves now, or a version or label of the store.':
    'プロンプトを書かれたままの形で返します。今配信されているもの、またはデータベースのバージョンかラベルを選べます。',
  'Finish the phase in progress and begin the next one, or report that it is partly done or failed.':
    '進行中のフェーズを終えて次を始めるか、途中または失敗を報告します。',
  'The phase in progress': '進行中のフェーズ',
  'completed starts the next phase; partial and failed are saved, and the phase stays in progress':
    'completed で次のフェーズが始まります。partial と failed は保存だけで、フェーズは進みません',
  'Files that the phase produced, relative to the project': 'フェーズで作成したファイル (プロジェクトからの相対パス)',
  'What was done, for the reader in the next phase': '行ったこと (次のフェーズの読み手のため)',
  'The result of the phase; further fields are kept': 'フェーズの結果 (ほかの項目も保存されます)',
  'The phase that is in progress now; null if all are finished': '今進行中のフェーズ (すべて終わっていれば null)',
  'Remove a label from a prompt. Clients that use this label get "not found". No version is deleted.':
    'プロンプトからラベルを外します。そのラベルでは配信されなくなります。バージョンはすべて残ります。',
  'Which label to remove': '外すラベル',
  'the front matter must be names and values': 'フロントマターは名前と値で書いてください',
  'version must be a number': 'version は数値にしてください',
  'the prompt is empty': 'プロンプトが空です',
} as const;
