import type { Lang, Text } from '../kernel/text/text.ts';
import { definePhrases } from '../kernel/text/text.ts';
import type { Unavailable } from './sandboxed.ts';

interface Given {
  /** What the sandbox's program said. */
  readonly detail: string;
  readonly path: string;
}

const reasons: Readonly<Record<Unavailable['reason'], Text<Given>>> = {
  'no-bwrap': {
    en: () => 'bubblewrap is not installed. Install it: sudo apt install bubblewrap (or dnf, pacman, zypper).',
    ja: () => 'bubblewrap がインストールされていません: sudo apt install bubblewrap (または dnf、pacman、zypper)。',
  },
  platform: {
    en: () => 'this system has none that Sekisho knows. On Windows, work in WSL.',
    ja: () => 'このシステムには対応するサンドボックスがありません。Windows では WSL をお使いください。',
  },
  architecture: {
    en: () => 'the system calls of this processor are not known to Sekisho (x64 and arm64 are).',
    ja: () => 'このプロセッサのシステムコールに対応していません (x64 と arm64 に対応)。',
  },
  'user-namespaces': {
    en: ({ detail }) =>
      `this kernel gives users no namespaces (${detail}). An administrator allows them: sudo sysctl -w user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1`,
    ja: ({ detail }) =>
      `このカーネルは一般ユーザーに名前空間を許可していません (${detail})。管理者が許可できます: sudo sysctl -w user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1`,
  },
  apparmor: {
    en: ({ detail }) =>
      `AppArmor keeps bubblewrap from making namespaces (${detail}). Ubuntu's package apparmor-profiles has a profile for it: sudo apt install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor`,
    ja: ({ detail }) =>
      `AppArmor が bubblewrap の名前空間作成を禁止しています (${detail})。Ubuntu では apparmor-profiles にプロファイルがあります: sudo apt install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor`,
  },
  container: {
    en: ({ detail }) =>
      `this is a container that forbids it (${detail}). Start it with --security-opt seccomp=unconfined --security-opt systempaths=unconfined, or run Sekisho outside of it.`,
    ja: ({ detail }) =>
      `このコンテナでは禁止されています (${detail})。--security-opt seccomp=unconfined --security-opt systempaths=unconfined を付けて起動するか、コンテナの外で実行してください。`,
  },
  other: {
    en: ({ detail }) => `bubblewrap does not start: ${detail}`,
    ja: ({ detail }) => `bubblewrap を起動できません: ${detail}`,
  },
  'project-holds-home': {
    en: ({ path }) => `${path} holds your home, and all of it would be writable. Work in a folder of its own.`,
    ja: ({ path }) =>
      `${path} はホームフォルダーを含み、その全体が書き込み可能になります。専用のフォルダーで作業してください。`,
  },
  'project-in-data': {
    en: ({ path }) => `${path} and Sekisho's data folder are one in the other. Move the project.`,
    ja: ({ path }) => `${path} と Sekisho のデータフォルダーが重なっています。プロジェクトを移してください。`,
  },
  'own-program-writable': {
    en: ({ path }) =>
      `Sekisho itself is in ${path}, where the agent could change it. Install it elsewhere: npm install -g sekisho`,
    ja: ({ path }) =>
      `Sekisho 自身が ${path} にあり、エージェントが書き換えられます。別の場所に入れてください: npm install -g sekisho`,
  },
  'protected-is-link': {
    en: ({ path }) => `${path} is a link, which cannot be protected. Put the folder or file itself there.`,
    ja: ({ path }) => `${path} はリンクなので保護できません。実際のフォルダーまたはファイルを置いてください。`,
  },
  'program-hidden': {
    en: ({ path }) =>
      `${path} is in a folder that is empty inside of the sandbox: /tmp, /var/tmp, /run, ~/.npm or ~/.cache. Install the program somewhere else.`,
    ja: ({ path }) =>
      `${path} は、サンドボックスの中では空になるフォルダー (/tmp、/var/tmp、/run、~/.npm、~/.cache) にあります。プログラムを別の場所にインストールしてください。`,
  },
};

export const sandboxPhrase = definePhrases({
  none: {
    en: ({ reason }: { reason: string }) =>
      `No sandbox here: ${reason}\nWith --unsandboxed the agent can reach the gate's files as you can.`,
    ja: ({ reason }) =>
      `サンドボックスを使えません: ${reason}\n--unsandboxed を付けると、エージェントはあなたと同じようにゲートのファイルに触れられます。`,
  },
  ring: {
    en: ({ kind, open }: { kind: string; open: string }) =>
      `関所 ring 3: sandbox (${kind}) · project writable · .sekisho read-only · network open${open}`,
    ja: ({ kind, open }) =>
      `関所 ring 3: サンドボックス (${kind}) · プロジェクト書き込み可 · .sekisho 読み取り専用 · ネットワーク開放${open}`,
  },
  ringOff: {
    en: ({ kind, reason }: { kind: string; reason: string }) =>
      `関所 ring 3 is off, though the sandbox (${kind}) is on: ${reason}`,
    ja: ({ kind, reason }) => `関所 ring 3 は無効です (サンドボックス (${kind}) は有効): ${reason}`,
  },
  unasked: {
    en: ({ reason }: { reason: string }) =>
      `関所 ring 1 is off: ${reason} Only evidence and approvals decide what it has done.`,
    ja: ({ reason }) => `関所 ring 1 は無効です: ${reason}成果の判定は証拠と承認だけで行われます。`,
  },
  boxOnly: {
    en: ({ kind }: { kind: string }) => `The sandbox (${kind}) is on: it cannot reach the gate’s files.`,
    ja: ({ kind }) => `サンドボックス (${kind}) は有効です。ゲートのファイルには触れられません。`,
  },
  cannotAsk: {
    en: ({ client }: { client: string }) =>
      `${client} has no hooks, so it does not ask the gate before it uses a tool.`,
    ja: ({ client }) => `${client} にはフックがないため、ツールを使う前にゲートに確認しません。`,
  },
  hooksSwitchedOff: {
    en: ({ client, file }: { client: string; file: string }) =>
      `${file} switches the hooks of ${client} off, so it does not ask the gate before it uses a tool.`,
    ja: ({ client, file }) =>
      `${file} が ${client} のフックを無効にしているため、ツールを使う前にゲートに確認しません。`,
  },
  notPrepared: {
    en: ({ client }: { client: string }) =>
      `${client} is not prepared here and cannot be handed hooks, so it does not ask the gate before it uses a tool. Prepare it: sekisho init --client ${client}.`,
    ja: ({ client }) =>
      `${client} はここでは準備されておらず、フックを渡せないため、ツールを使う前にゲートに確認しません。準備するには: sekisho init --client ${client}。`,
  },
  open: {
    en: ({ allow }: { allow: string }) => ` · allowed: ${allow}`,
    ja: ({ allow }) => ` · 許可: ${allow}`,
  },
  hidden: {
    en: ({ hidden, first }: { hidden: string; first: string }) =>
      `Not there inside: ${hidden} · show one: --allow ${first}, or sandbox.allow in the configuration`,
    ja: ({ hidden, first }) =>
      `中からは見えないもの: ${hidden} · 見せるには: --allow ${first} または設定の sandbox.allow`,
  },
  unsandboxed: {
    en: () => '関所 ring 3 is off: no sandbox · the agent can reach the gate’s files as you can',
    ja: () => '関所 ring 3 は無効: サンドボックスなし · エージェントはあなたと同じようにゲートのファイルに触れられます',
  },
  experimental: {
    en: () => 'The sandbox of macOS is experimental.',
    ja: () => 'macOS のサンドボックスは試験的なものです。',
  },
  ownSandboxOff: {
    en: ({ client }: { client: string }) => `${client}'s own sandbox is off in there: this one takes its place.`,
    ja: ({ client }) => `${client} 自身のサンドボックスは中では無効です。代わりにこちらが働きます。`,
  },
  daemonDied: {
    en: () => 'The daemon has ended, and the agent with it: nothing would have been decided any more.',
    ja: () => 'デーモンが終了したため、エージェントも終了しました。判定できる者がいなくなるためです。',
  },
  notStarted: {
    en: ({ client }: { client: string }) =>
      `Sekisho cannot start ${client}: only a person can. Prepare the project with sekisho init --client ${client}, then open the folder there; its hooks ask (ring 1), and no sandbox is around it.`,
    ja: ({ client }) =>
      `${client} は Sekisho からは起動できません。sekisho init --client ${client} でプロジェクトを準備し、フォルダーを自分で開いてください。フック (リング 1) は働きますが、サンドボックスはありません。`,
  },
  notFound: {
    en: ({ program, install }: { program: string; install: string }) =>
      `The program ${program} was not found.${install === '' ? '' : ` Install it: ${install}`}`,
    ja: ({ program, install }) =>
      `プログラム ${program} が見つかりません。${install === '' ? '' : `インストール: ${install}`}`,
  },
});

/** Why there is no sandbox, and how to get one. */
export function whyUnavailable(why: Unavailable, lang: Lang): string {
  const given = { detail: 'detail' in why ? why.detail : '', path: 'path' in why ? why.path : '' };
  return reasons[why.reason][lang](given);
}
