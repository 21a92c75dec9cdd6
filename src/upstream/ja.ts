import { type Japanese, inLang } from '../kernel/text/text.ts';
import type { english as introductionEnglish } from './introduction.ts';
import type { englishProblem as problemEnglish, englishPhrase as phraseEnglish } from './problem.ts';

export const introduction: Japanese<typeof introductionEnglish> = {
  locked: ({ upstream, skill }) =>
    `「${upstream}」のツールはロックされています。${skill === undefined ? '' : `スキル「${skill}」(/${skill})をロードしてから `}activate を呼んでください。`,
};

export const problem: Japanese<typeof problemEnglish> = {
  UPSTREAM_NONE: ({ note }) =>
    note === undefined
      ? '上流サーバーが設定されていません。.sekisho/config.yaml の upstreams: に追加してください。'
      : `有効な上流サーバーがありません。${note('ja')}。`,
  UPSTREAM_UNKNOWN: ({ upstream: name, known, note }) =>
    `上流サーバー「${name}」はありません。設定されているのは ${known.join('、')} です。${note === undefined ? '' : `なお、${note('ja')}。`}`,
  UPSTREAM_UNREACHABLE: ({ upstream: name, address, cause }) =>
    `上流サーバー「${name}」(${address}) に接続できません: ${inLang(cause, 'ja')}。起動してから activate を再度呼んでください。`,
  UPSTREAM_INIT_FAILED: ({ upstream: name, tool, script, cause }) =>
    `上流サーバー「${name}」に接続しましたが、初期化スクリプト ${script}(${tool} 経由)が失敗したため有効化していません。上流サーバーのエラー: ${cause}`,
  UPSTREAM_INIT_SCRIPT: ({ upstream: name, script, cause }) =>
    `上流サーバー「${name}」の初期化スクリプト ${script} を読めません: ${cause}。上流サーバーには何も送っていません。ファイルを置くか、パス (init.script、--init-script) を直してから、activate を再度呼んでください。`,
  UPSTREAM_PHRASE: ({ upstream: name, skill, given }) =>
    `上流サーバー「${name}」の合言葉${given ? 'が違います' : 'が必要です'}。スキル${skill === undefined ? '' : `「${skill}」`}を読み、そこに書かれた合言葉を付けて activate({"phrase": "…"}) を呼んでください。`,
  UPSTREAM_ACTIVATION: ({ active, failures }) =>
    `有効化できなかった上流サーバーがあります。${failures.map((one) => one.in('ja')).join(' ')}${active.length === 0 ? '' : ` 有効: ${active.join('、')}。`}`,
};

export const phrase: Japanese<typeof phraseEnglish> = {
  noticeAway: ({ cause }) => `上流サーバーに接続できません${cause === '' ? '。' : `: ${inLang(cause, 'ja')}`}`,
  locked: ({ upstream: name, skill, quotes, several }) =>
    `上流サーバー「${name}」のツールはロックされています。${skill === undefined ? '' : `まずスキル「${skill}」(/${skill})をロードして読み、`}activate(${several || quotes ? `{${[several && `"upstream": "${name}"`, quotes && '"phrase": "…スキルに書かれた合言葉"'].filter(Boolean).join(', ')}}` : ''}) を呼んでから、このツールを再度呼んでください。`,
  disconnected: ({ upstream: name, cause, several }) =>
    `上流MCP切断。activate を再度呼んでください(上流サーバー「${name}」: ${inLang(cause, 'ja')}${several ? `。activate({"upstream": "${name}"})` : ''})`,
  unreachable: ({ upstream: name, address, cause }) =>
    `上流サーバー「${name}」(${address}) に接続できません: ${inLang(cause, 'ja')}。呼び出しは送信していません。起動後にもう一度呼んでください。`,
  init: ({ upstream: name, cause }) =>
    `上流サーバー「${name}」の初期化スクリプトが失敗したため、呼び出しを送信していません。上流サーバーのエラー: ${inLang(cause, 'ja')}`,
  script: ({ upstream: name, cause }) =>
    `上流サーバー「${name}」の初期化スクリプトを読めないため、呼び出しを送信していません: ${inLang(cause, 'ja')}。ファイルを置くか、パス (init.script、--init-script) を直してから、もう一度呼んでください。`,
  interrupted: ({ upstream: name, tool, cause, manual }) =>
    `${tool} の実行中に上流サーバー「${name}」との接続が切れました(${inLang(cause, 'ja')})。実行された可能性があるため自動では再実行しません。${manual ? 'activate を再度呼び、' : ''}結果を確認してから、必要ならもう一度呼んでください。`,
  bare: ({ upstream: name }) => `上流サーバー「${name}」のツール。まだ一度も接続していないため、説明は不明です。`,
};

/** Japanese by English text. `words.ts` accepts no other keys. */
export const words = {
  'a name has at most 32 characters: letters, digits, - and _':
    '名前に使えるのは英数字、- と _ だけで、32 文字以内です',
  'give either url or command': 'url か command のどちらか一方を指定してください',
  'it is not an object': 'オブジェクトではありません',
  'it has no name': '名前がありません',
  'its name has characters other than letters, digits, _ . and -, or more than 128':
    '名前に英数字と _ . - 以外の文字があるか、128 文字を超えています',
  'its annotations are not an object': 'annotations がオブジェクトではありません',
  'its icons are not a list': 'icons が配列ではありません',
  'its _meta is not an object': '_meta がオブジェクトではありません',
  'its outputSchema is not a schema': 'outputSchema がスキーマではありません',
  'its inputSchema is not a schema': 'inputSchema がスキーマではありません',
  'its inputSchema is not of type "object"': 'inputSchema の type が "object" ではありません',
  'its inputSchema has properties that are not schemas': 'inputSchema の properties にスキーマではないものがあります',
  'its inputSchema has a required that is not a list of names': 'inputSchema の required が名前の配列ではありません',
  'another tool has the same name': '同じ名前のツールがほかにあります',
  'Unlock the tools of an upstream MCP server: connects, initialises and checks it. Call it after loading the skill, and again when a tool says that its upstream is disconnected.':
    '上流サーバーのツールを使えるようにします。接続、初期化、確認を行います。スキルを読み込んだ後と、ツールが切断を知らせたときに呼び出してください。',
  'Upstream name; default: every gated upstream': '上流サーバーの名前 (省略すると、ゲートのあるものすべて)',
  'The phrase from the skill, if one is needed': 'スキルに書かれた合言葉 (必要な場合)',
  'A connection was made; if false, the existing one was checked': '接続したか (false なら、今ある接続を確認しただけ)',
  'The init script was run': 'init スクリプトを実行したか',
  'It was locked for this client until now': 'このクライアントではそれまで使えなかったか',
  'Instructions from the upstream': '上流サーバー自身による使い方の説明',
  'Calls forwarded to upstreams, newest first, with tool, outcome and duration.':
    '上流サーバーに渡した呼び出しを新しい順に返します。ツール、結果、かかった時間が分かります。',
  'Only this upstream': 'この上流サーバーだけ',
  'The tools of an upstream as last read, with their descriptions.':
    '上流サーバーのツールの一覧です。最後に読み取った内容と説明を示します。',
  'Upstream name': '上流サーバーの名前',
  'Upstream MCP servers: address, connection state, reason if disconnected, and what they offer.':
    '上流サーバーの一覧です。場所、接続の状態とその理由、提供するものが分かります。',
  'Connect to each now, without init or unlock, to check that it responds':
    '今すぐ接続して応答を確かめます (init とロック解除は行いません)',
  'Sekisho is closing': 'Sekisho を終了しています',
  closed: '閉じられました',
  'the connection was lost': '接続が切れました',
  'it is not connected': '接続していません',
  'the connection was not established': '接続が成立しませんでした',
  'it has ended': 'すでに終了しています',
  'the response stream ended': '応答のストリームが途中で終わりました',
} as const;
