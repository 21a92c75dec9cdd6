import type { HookTrust } from '../fleet/agent-hook.ts';
import { definePhrases } from '../kernel/text/text.ts';

const shown = 5;

function firstOf(paths: readonly string[]): string {
  return [...paths.slice(0, shown), ...(paths.length > shown ? ['…'] : [])].join(', ');
}

export const ringPhrase = definePhrases({
  unregistered: {
    en: ({ root }: { root: string }) => `${root} is not registered: its gate can be left by going into another folder`,
    ja: ({ root }) => `${root} は登録されていません。別のフォルダーに移ればゲートを離れられます`,
  },
  project: {
    en: ({ root, tree, gone }: { root: string; tree: string | undefined; gone: boolean }) =>
      `${root}${tree === undefined ? '' : `, here in its worktree ${tree}`}${gone ? '; its .sekisho folder is gone, its state is not' : ''}`,
    ja: ({ root, tree, gone }) =>
      `${root}${tree === undefined ? '' : ` (現在の worktree: ${tree})`}${gone ? '。.sekisho フォルダーがありません (状態は失われていません)' : ''}`,
  },
  noProgram: {
    en: ({ shim }: { shim: string }) =>
      `${shim} is missing, or the program that it starts: hooks and servers cannot run`,
    ja: ({ shim }) => `${shim} またはそれが起動するプログラムがありません。フックとサーバーは動きません`,
  },
  olderProgram: {
    en: ({ inUse, own }: { inUse: string; own: string }) => `hooks and servers run ${inUse}, this is ${own}`,
    ja: ({ inUse, own }) => `フックとサーバーは ${inUse} を使っています (このコマンドは ${own})`,
  },
  program: {
    en: ({ shim, version, files }: { shim: string; version: string; files: number }) =>
      `${shim} starts ${version}, ${files} files as init recorded them`,
    ja: ({ shim, version, files }) => `${shim} は ${version} を起動します (${files} ファイル、init が記録したまま)`,
  },
  otherProgram: {
    en: ({ paths }: { paths: readonly string[] }) =>
      `not as init recorded it, so it may do anything (sekisho journal verify names every file): ${firstOf(paths)}`,
    ja: ({ paths }) =>
      `init が記録した内容と違うため、何が実行されるか分かりません (全ファイルは sekisho journal verify で確認できます): ${firstOf(paths)}`,
  },
  unrecorded: {
    en: ({ inUse }: { inUse: string }) =>
      `hooks and servers run ${inUse}, of which init recorded nothing: changes in it cannot be seen`,
    ja: ({ inUse }) => `フックとサーバーが使う ${inUse} は init の記録がないため、変更を検出できません`,
  },
  notPinned: {
    en: ({ folder, clone }: { folder: string; clone: boolean }) =>
      `This command runs from ${clone ? 'the clone ' : ''}${folder}, which is not pinned`,
    ja: ({ folder, clone }) =>
      `このコマンドは${clone ? 'クローン' : ''} ${folder} から実行されており、固定 (pin) の対象外です`,
  },
  files: {
    en: ({ count }: { count: number }) =>
      count === 0 ? 'nothing of the project needs it' : `${count} of the project’s files, all as a person saw them`,
    ja: ({ count }) =>
      count === 0
        ? 'このプロジェクトには信頼の必要なファイルがありません'
        : `プロジェクトのファイル ${count} 件は、すべて人が確認したままです`,
  },
  unseen: {
    en: ({ changed, unseen }: { changed: readonly string[]; unseen: readonly string[] }) =>
      [
        ...(changed.length > 0
          ? [`changed since a person saw it, so what they saw goes on: ${changed.join(', ')}`]
          : []),
        ...(unseen.length > 0 ? [`never seen by a person, so it starts no program: ${unseen.join(', ')}`] : []),
      ].join('; '),
    ja: ({ changed, unseen }) =>
      [
        ...(changed.length > 0
          ? [`人が確認した後に変更されたため、確認済みの内容が使われます: ${changed.join(', ')}`]
          : []),
        ...(unseen.length > 0 ? [`まだ人が確認していないため、プログラムを起動しません: ${unseen.join(', ')}`] : []),
      ].join('。'),
  },
  forged: {
    en: ({ files }: { files: readonly string[] }) =>
      `the copy that hooks read is not what a person trusted (sekisho journal verify names it): ${files.join(', ')}`,
    ja: ({ files }) =>
      `フックが読む写しが、人の信頼した内容と違います (sekisho journal verify で確認できます): ${files.join(', ')}`,
  },
  uncompiled: {
    en: () => 'hooks cannot read the trusted configuration, so they refuse every tool',
    ja: () => 'フックが信頼された設定を読み取れないため、すべてのツールを拒否します',
  },
  otherUser: {
    en: ({ path }: { path: string }) =>
      `${path} with people, tokens and trust was removed, replaced or cut: who was trusted with what cannot be told any more`,
    ja: ({ path }) =>
      `人、トークン、信頼の記録がある ${path} が削除されたか、置き換えられたか、切り詰められました。何が信頼されていたかを確認できません`,
  },
  noHook: {
    en: ({ client, worktree }: { client: string; worktree: boolean }) =>
      `no file makes ${client} ask before it uses a tool${worktree ? ' in this worktree' : ''}: its tools are not held back`,
    ja: ({ client, worktree }) =>
      `${worktree ? 'この worktree では、' : ''}${client} がツールを使う前に問い合わせる設定がありません。ツールは止められません`,
  },
  hooksOff: {
    en: ({ file }: { file: string }) => `${file} switches all hooks off: its tools are not held back`,
    ja: ({ file }) => `${file} がすべてのフックを無効にしています。ツールは止められません`,
  },
  hookFails: {
    en: ({ command, code, reason }: { command: string; code: number | null; reason: string }) =>
      `its command does not work (${code === null ? 'no exit code' : `exit code ${code}`}${reason === '' ? '' : `: ${reason}`}): ${command}`,
    ja: ({ command, code, reason }) =>
      `フックのコマンドが動きません (${code === null ? '終了コードなし' : `終了コード ${code}`}${reason === '' ? '' : `: ${reason}`}): ${command}`,
  },
  hookElsewhere: {
    en: ({ root, db, projectKey }: { root: string; db: string; projectKey: string | undefined }) =>
      `its command is about another project or database: ${root}, ${db}, project key ${projectKey ?? '?'}`,
    ja: ({ root, db, projectKey }) =>
      `フックが別のプロジェクトまたはデータベースを見ています: ${root}, ${db}, プロジェクトキー ${projectKey ?? '?'}`,
  },
  hookSkipped: {
    en: ({ client, trust }: { client: string; trust: Exclude<HookTrust, 'trusted'> }) =>
      ({
        untrusted: `${client} skips the hook because you have not trusted it there, so its tools are not held back: start ${client} here and trust the hook (/hooks)`,
        changed: `${client} skips the hook because it has changed since you trusted it there, so its tools are not held back: start ${client} here and trust the hook again (/hooks)`,
        disabled: `the hook is switched off in ${client}, so its tools are not held back: start ${client} here and switch it on (/hooks)`,
        folder: `${client} skips the project’s hooks because it does not trust this folder, so its tools are not held back`,
      })[trust],
    ja: ({ client, trust }) =>
      ({
        untrusted: `${client} でまだ信頼されていないため、フックは無視され、ツールは止められません。ここで ${client} を起動し、フックを信頼してください (/hooks)`,
        changed: `${client} で信頼された後に変更されたため、フックは無視され、ツールは止められません。ここで ${client} を起動し、もう一度信頼してください (/hooks)`,
        disabled: `${client} でフックが無効になっているため、ツールは止められません。ここで ${client} を起動し、有効にしてください (/hooks)`,
        folder: `${client} がこのフォルダーを信頼していないため、プロジェクトのフックは無視され、ツールは止められません`,
      })[trust],
  },
  hook: {
    en: ({ command, trusted }: { command: string; trusted: boolean }) =>
      `asks through ${command}${trusted ? ', which you trusted in its own settings' : ''}`,
    ja: ({ command, trusted }) => `${command} で問い合わせます${trusted ? ' (クライアントの設定で信頼済み)' : ''}`,
  },
  noServer: {
    en: ({ client }: { client: string }) => `no file makes ${client} start our server or connect to it`,
    ja: ({ client }) => `${client} が Sekisho のサーバーを起動または接続する設定がありません`,
  },
  server: {
    en: ({ program }: { program: string }) => `${program} answers`,
    ja: ({ program }) => `${program} は応答します`,
  },
  serverFails: {
    en: ({ line, reason }: { line: string; reason: string }) => `does not answer (${reason}): ${line}`,
    ja: ({ line, reason }) => `応答しません (${reason}): ${line}`,
  },
  httpNoUrl: {
    en: ({ url }: { url: string }) => `its settings name an address that is not a URL: ${url}`,
    ja: ({ url }) => `設定にあるアドレスが URL ではありません: ${url}`,
  },
  httpRemote: {
    en: ({ url }: { url: string }) => `connects to ${url}, which cannot be checked from this machine`,
    ja: ({ url }) => `${url} に接続します。このマシンからは確認できません`,
  },
  httpNoDaemon: {
    en: ({ url }: { url: string }) => `connects to ${url}, but the daemon is not running`,
    ja: ({ url }) => `${url} に接続しますが、デーモンが動いていません`,
  },
  httpElsewhere: {
    en: ({ url, daemon }: { url: string; daemon: string }) => `connects to ${url}, but the daemon is at ${daemon}`,
    ja: ({ url, daemon }) => `${url} に接続しますが、デーモンのアドレスは ${daemon} です`,
  },
  httpNoEndpoint: {
    en: ({ url }: { url: string }) => `connects to ${url}, but the daemon serves MCP at /mcp`,
    ja: ({ url }) => `${url} に接続しますが、デーモンの MCP のパスは /mcp です`,
  },
  httpNoProject: {
    en: ({ url }: { url: string }) => `connects to ${url}, which names none of the registered projects`,
    ja: ({ url }) => `${url} に接続しますが、登録済みのどのプロジェクトかを指定していません`,
  },
  httpOtherProject: {
    en: ({ named, root }: { named: string; root: string }) => `connects to the project ${named}, not to ${root}`,
    ja: ({ named, root }) => `${root} ではなく、プロジェクト ${named} に接続します`,
  },
  httpNoToken: {
    en: ({ url }: { url: string }) => `connects to ${url} without a token, so the daemon refuses it`,
    ja: ({ url }) => `トークンなしで ${url} に接続するため、デーモンが拒否します`,
  },
  asks: {
    en: ({ client }: { client: string }) => `${client} runs the hooks`,
    ja: ({ client }) => `${client} はフックを実行しています`,
  },
  trusted: {
    en: () => 'the folder is trusted',
    ja: () => 'フォルダーは信頼されています',
  },
  receipts: {
    en: ({ count, state }: { count: number; state: string }) =>
      count === 0 ? `has not asked in the state "${state}" so far` : `asked ${count} times in the state "${state}"`,
    ja: ({ count, state }) =>
      count === 0 ? `状態「${state}」ではまだ問い合わせていません` : `状態「${state}」での問い合わせ: ${count} 回`,
  },
  editedUnasked: {
    en: ({ state, paths }: { state: string; paths: readonly string[] }) =>
      `files changed in the state "${state}", which denies editing them, and no hook has asked: ${firstOf(paths)}. If a client did it, its tools are not held back; if you did: sekisho admin accept-changes`,
    ja: ({ state, paths }) =>
      `状態「${state}」では編集を禁止しているファイルが変更されましたが、フックの問い合わせがありません: ${firstOf(paths)}。クライアントによる変更なら、ツールは止められていません。あなたの変更なら sekisho admin accept-changes を実行してください`,
  },
  submittedUnasked: {
    en: ({ state }: { state: string }) =>
      `an agent submitted an event in the state "${state}", and no hook had asked there: its tools are not held back`,
    ja: ({ state }) =>
      `エージェントが状態「${state}」でイベントを送りましたが、フックの問い合わせがありませんでした。ツールは止められていません`,
  },
  sandbox: {
    en: ({ kind }: { kind: string }) => `${kind} works here; a session has it when it is started by sekisho run`,
    ja: ({ kind }) => `${kind} を使えます。sekisho run で起動したセッションに適用されます`,
  },
  noClient: {
    en: () => 'no client was prepared, so nothing stops an agent’s own tools',
    ja: () => 'クライアントが設定されていないため、エージェント自身のツールは止められません',
  },
});
