import { type Lang, type Text, definePhrases } from '../kernel/text/text.ts';
import type { Unavailable } from './sandboxed.ts';
import * as ja from './ja.ts';

interface Given {
  readonly detail: string;
  readonly path: string;
}

const reasons: Readonly<Record<Unavailable['reason'], Text<Given>>> = {
  'no-bwrap': {
    en: () => 'bubblewrap is not installed. Install it: sudo apt install bubblewrap (or dnf, pacman, zypper).',
    ja: () => 'bubblewrap がインストールされていません: sudo apt install bubblewrap (または dnf、pacman、zypper)。',
  },
  platform: {
    en: () => 'Sekisho has no sandbox for this system. On Windows, use WSL.',
    ja: () => 'このシステムには対応するサンドボックスがありません。Windows では WSL をお使いください。',
  },
  architecture: {
    en: () => 'Sekisho does not support this processor, only x64 and arm64.',
    ja: () => 'このプロセッサのシステムコールに対応していません (x64 と arm64 に対応)。',
  },
  'user-namespaces': {
    en: ({ detail }) =>
      `this kernel does not let users create namespaces (${detail}). An administrator can allow it: sudo sysctl -w user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1`,
    ja: ({ detail }) =>
      `このカーネルは一般ユーザーに名前空間を許可していません (${detail})。管理者が許可できます: sudo sysctl -w user.max_user_namespaces=15000 kernel.unprivileged_userns_clone=1`,
  },
  apparmor: {
    en: ({ detail }) =>
      `AppArmor does not let bubblewrap create namespaces (${detail}). Ubuntu's package apparmor-profiles has a profile for it: sudo apt install apparmor-profiles && sudo ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/ && sudo systemctl reload apparmor`,
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
    en: ({ path }) =>
      `${path} contains your home folder, and all of it would be writable. Work in a folder of its own.`,
    ja: ({ path }) =>
      `${path} はホームフォルダーを含み、その全体が書き込み可能になります。専用のフォルダーで作業してください。`,
  },
  'project-in-data': {
    en: ({ path }) => `${path} and Sekisho's data folder overlap. Move the project.`,
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

export const english = {
  none: ({ reason }: { reason: string }) =>
    `No sandbox here: ${reason}\nWith --unsandboxed the agent can reach the gate's files as you can.`,
  ring: ({ kind, open }: { kind: string; open: string }) =>
    `関所 ring 3: sandbox (${kind}) · project writable · .sekisho read-only · network open${open}`,
  ringOff: ({ kind, reason }: { kind: string; reason: string }) =>
    `関所 ring 3 is off, though the sandbox (${kind}) is on: ${reason}`,
  unasked: ({ reason }: { reason: string }) =>
    `関所 ring 1 is off: ${reason} Only evidence and approvals decide what it has done.`,
  boxOnly: ({ kind }: { kind: string }) => `The sandbox (${kind}) is on: it cannot reach the gate’s files.`,
  cannotAsk: ({ client }: { client: string }) =>
    `${client} has no hooks, so it does not ask the gate before it uses a tool.`,
  hooksSwitchedOff: ({ client, file }: { client: string; file: string }) =>
    `${file} switches the hooks of ${client} off, so it does not ask the gate before it uses a tool.`,
  notPrepared: ({ client }: { client: string }) =>
    `${client} is not prepared here and cannot be handed hooks, so it does not ask the gate before it uses a tool. Prepare it: sekisho init --client ${client}.`,
  open: ({ allow }: { allow: string }) => ` · allowed: ${allow}`,
  hidden: ({ hidden, first }: { hidden: string; first: string }) =>
    `Hidden inside: ${hidden} · to show one: --allow ${first}, or sandbox.allow in the configuration`,
  unsandboxed: () => '関所 ring 3 is off: no sandbox · the agent can reach the gate’s files as you can',
  experimental: () => 'The macOS sandbox is experimental.',
  ownSandboxOff: ({ client }: { client: string }) => `${client}'s own sandbox is off inside: this one replaces it.`,
  daemonDied: () => 'The daemon has ended, so the agent was stopped: without the daemon nothing can be decided.',
  notStarted: ({ client }: { client: string }) =>
    `Sekisho cannot start ${client}: only a person can. Prepare the project with sekisho init --client ${client}, then open the folder there. Its hooks work (ring 1), but there is no sandbox.`,
  notFound: ({ program, install }: { program: string; install: string }) =>
    `The program ${program} was not found.${install === '' ? '' : ` Install it: ${install}`}`,
};

export const sandboxPhrase = definePhrases(english, ja.sandboxPhrase);

export function whyUnavailable(why: Unavailable, lang: Lang): string {
  const given = { detail: 'detail' in why ? why.detail : '', path: 'path' in why ? why.path : '' };
  return reasons[why.reason][lang](given);
}
