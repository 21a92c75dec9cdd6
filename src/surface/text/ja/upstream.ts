import type { Problem } from '../../../kernel/problem.ts';
import type { SomeTexts } from '../../texts.ts';

const single = {
  UPSTREAM_NONE: () => '上流 MCP が設定されていません。.sekisho/config.yaml の upstreams: に追加してください。',
  UPSTREAM_UNKNOWN: ({ upstream: name, known }) =>
    `上流「${name}」はありません。設定されているのは ${known.join('、')} です。`,
  UPSTREAM_UNREACHABLE: ({ upstream: name, address, cause }) =>
    `上流「${name}」(${address}) に接続できません: ${cause}。起動してから activate を再度呼んでください。`,
  UPSTREAM_INIT_FAILED: ({ upstream: name, tool, script, cause }) =>
    `上流「${name}」に接続しましたが、初期化スクリプト ${script}(${tool} 経由)が失敗したため有効化していません。上流のエラー: ${cause}`,
  UPSTREAM_PHRASE: ({ upstream: name, skill, given }) =>
    `上流「${name}」の合言葉${given ? 'が違います' : 'が必要です'}。スキル${skill === undefined ? '' : `「${skill}」`}を読み、そこに書かれた合言葉を付けて activate({"phrase": "…"}) を呼んでください。`,
} satisfies SomeTexts['problems'];

/** Of one among several that were to be activated. */
function textOf({ code, params }: Problem): string {
  return (single as Readonly<Record<string, ((given: never) => string) | undefined>>)[code]?.(params as never) ?? code;
}

export const upstream = {
  problems: {
    ...single,
    UPSTREAM_ACTIVATION: ({ active, failures }) =>
      `有効化できなかった上流があります。${failures.map(textOf).join(' ')}${active.length === 0 ? '' : ` 有効: ${active.join('、')}。`}`,
  },
  refusals: {},
  phrases: {
    'upstream.locked': ({ upstream: name, skill, phrase, several }) =>
      `上流「${name}」のツールはロックされています。${skill === undefined ? '' : `まずスキル「${skill}」(/${skill})をロードして読み、`}activate(${several || phrase ? `{${[several && `"upstream": "${name}"`, phrase && '"phrase": "…スキルに書かれた合言葉"'].filter(Boolean).join(', ')}}` : ''}) を呼んでから、このツールを再度呼んでください。`,
    'upstream.disconnected': ({ upstream: name, cause, several }) =>
      `上流MCP切断。activate を再度呼んでください(上流「${name}」: ${cause}${several ? `。activate({"upstream": "${name}"})` : ''})`,
    'upstream.unreachable': ({ upstream: name, address, cause }) =>
      `上流「${name}」(${address}) に接続できません: ${cause}。呼び出しは送信していません。起動後にもう一度呼んでください。`,
    'upstream.init': ({ upstream: name, cause }) =>
      `上流「${name}」の初期化スクリプトが失敗したため、呼び出しを送信していません。上流のエラー: ${cause}`,
    'upstream.interrupted': ({ upstream: name, tool, cause, manual }) =>
      `${tool} の実行中に上流「${name}」との接続が切れました(${cause})。実行された可能性があるため自動では再実行しません。${manual ? 'activate を再度呼び、' : ''}結果を確認してから、必要ならもう一度呼んでください。`,
    'upstream.bare': ({ upstream: name }) => `上流「${name}」のツール。まだ一度も接続していないため、説明は不明です。`,
  },
} satisfies SomeTexts;
