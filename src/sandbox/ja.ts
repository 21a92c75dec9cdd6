import type { Japanese } from '../kernel/text/text.ts';
import type { english as portEnglish } from './port.ts';
import type { english as sandboxPhraseEnglish } from './sandbox-text.ts';

export const port: Japanese<typeof portEnglish> = {
  repositories: ({ list, disabled }) =>
    `サンドボックスの中で git リポジトリが作成または変更されました: ${list}。${disabled ? '無効にしたものは、git がプログラムを起動する設定です。「sekisho-removed」を含む名前で残してあります。' : ''}`,
  disabled: ({ what }) => `無効にしたもの: ${what}`,
  failed: ({ what }) => `無効にできなかったもの (ここで git を使わないでください): ${what}`,
};

export const sandboxPhrase: Japanese<typeof sandboxPhraseEnglish> = {
  none: ({ reason }) =>
    `サンドボックスを使えません: ${reason}\n--unsandboxed を付けると、エージェントはあなたと同じようにゲートのファイルに触れられます。`,
  ring: ({ kind, open }) =>
    `関所 リング 3: サンドボックス (${kind}) · プロジェクト書き込み可 · .sekisho 読み取り専用 · ネットワーク開放${open}`,
  ringOff: ({ kind, reason }) => `関所 リング 3 は無効です (サンドボックス (${kind}) は有効): ${reason}`,
  unasked: ({ reason }) => `関所 リング 1 は無効です: ${reason}成果の判定は証拠と承認だけで行われます。`,
  boxOnly: ({ kind }) => `サンドボックス (${kind}) は有効です。ゲートのファイルには触れられません。`,
  cannotAsk: ({ client }) => `${client} にはフックがないため、ツールを使う前にゲートに確認しません。`,
  hooksSwitchedOff: ({ client, file }) =>
    `${file} が ${client} のフックを無効にしているため、ツールを使う前にゲートに確認しません。`,
  notPrepared: ({ client }) =>
    `${client} はここでは準備されておらず、フックを渡せないため、ツールを使う前にゲートに確認しません。準備するには: sekisho init --client ${client}。`,
  open: ({ allow }) => ` · 許可: ${allow}`,
  hidden: ({ hidden, first }) =>
    `中からは見えないもの: ${hidden} · 見せるには: --allow ${first} または設定の sandbox.allow`,
  unsandboxed: () =>
    '関所 リング 3 は無効: サンドボックスなし · エージェントはあなたと同じようにゲートのファイルに触れられます',
  experimental: () => 'macOS のサンドボックスは試験的なものです。',
  ownSandboxOff: ({ client }) => `${client} 自身のサンドボックスは中では無効です。代わりにこちらが働きます。`,
  daemonDied: () => 'デーモンが終了したため、エージェントも終了しました。判定できる者がいなくなるためです。',
  notStarted: ({ client }) =>
    `${client} は Sekisho からは起動できません。sekisho init --client ${client} でプロジェクトを準備し、フォルダーを自分で開いてください。フック (リング 1) は働きますが、サンドボックスはありません。`,
  notFound: ({ program, install }) =>
    `プログラム ${program} が見つかりません。${install === '' ? '' : `インストール: ${install}`}`,
};
