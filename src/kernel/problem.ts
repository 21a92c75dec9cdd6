import type { Lang, Params, Reason, Sentence, Text } from './text/text.ts';
import { definePhrases, inLang, mapTexts, sentence } from './text/text.ts';
import { ruleIn } from './text/rule.ts';

export type Details = Readonly<Record<string, unknown>>;

export interface FieldError {
  readonly path: string;
  readonly message: string;
}

/** A failure that the caller can act on; it brings its own text. Anything else that is thrown is a bug. */
export class Problem<P = unknown> extends Error {
  override readonly name = 'Problem';
  readonly code: string;
  readonly params: P;
  /** What the envelope carries as `details`. */
  readonly details: Details | undefined;
  readonly #text: object;
  readonly #sentence: Sentence;

  constructor(code: string, text: Text<P>, params: P, details?: Details) {
    super(code);
    this.code = code;
    this.#text = text;
    this.#sentence = sentence(text, params);
    this.params = params;
    this.details = details;
  }

  in(lang: Lang): string {
    return this.#sentence(lang);
  }

  /** Codes may have several texts, one for each reason. */
  says(text: object): boolean {
    return this.#text === text;
  }
}

/** One code, or one reason of it: makes the problem, and recognises it. */
export interface ProblemOf<P> {
  readonly code: string;
  readonly text: Text<P>;
  (...given: [...Params<P>, details?: Details]): Problem<P>;
  is(error: unknown): error is Problem<P>;
}

export type Problems<P = unknown> = { readonly [C in keyof P]: ProblemOf<P[C]> };

/** The codes of a module with their texts. `throw problem.GROUP_NOT_FOUND({ groupId })`. */
export function defineProblems<P>(texts: { readonly [C in keyof P]: Text<P[C]> }) {
  return mapTexts(texts, (text, code) => problemOf(code, text)) as Problems<P>;
}

/** Reasons for one code, `FORBIDDEN`. `throw refusal.report({ identity, agentId })`. */
export function defineRefusals<P>(texts: { readonly [K in keyof P]: Text<P[K]> }) {
  return mapTexts(texts, (text) => problemOf('FORBIDDEN', text)) as Problems<P>;
}

export function isProblem(error: unknown): error is Problem {
  return error instanceof Problem;
}

function problemOf(code: string, text: Text<unknown>) {
  const make = (params: unknown, details?: Details) => new Problem(code, text, params, details);
  return Object.assign(make, { code, text, is: (error: unknown) => isProblem(error) && error.says(text) });
}

function addressOf(root: string): string {
  return `/mcp?project=${encodeURIComponent(root).replaceAll('%2F', '/')}`;
}

export const problem = defineProblems({
  INTERNAL_ERROR: {
    en: ({ reference }: { reference: string }) =>
      `This is a fault of Sekisho, not of the request. The log has it under ${reference}; please report it.`,
    ja: ({ reference }) => `リクエストではなく Sekisho 側の不具合です。ログの ${reference} を添えて報告してください。`,
  },
  VALIDATION_ERROR: {
    en: ({ errors }: { errors: readonly FieldError[] }) =>
      `The input is not valid. ${errors.map((one) => `${one.path}: ${one.message}`).join('; ')}`,
    ja: ({ errors }) =>
      `入力が正しくありません。${errors.map((one) => `${one.path}: ${ruleIn('ja', one.message)}`).join('; ')}`,
  },
  UNKNOWN_COMMAND: {
    en: ({ command, suggestion }: { command: string; suggestion: string | undefined }) =>
      `There is no command "${command}".${suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`} See sekisho --help.`,
    ja: ({ command, suggestion }) =>
      `コマンド「${command}」はありません。${suggestion === undefined ? '' : `「${suggestion}」ではありませんか。`}sekisho --help をご覧ください。`,
  },
  WRONG_USE: {
    en: ({ usage }: { usage: string }) => `Usage: ${usage}`,
    ja: ({ usage }) => `使い方: ${usage}`,
  },
  ID_AMBIGUOUS: {
    en: ({ prefix, ids }: { prefix: string; ids: readonly string[] }) =>
      `Several begin with "${prefix}": ${ids.join(', ')}. Write more of the one that you mean.`,
    ja: ({ prefix, ids }) =>
      `「${prefix}」で始まるものが複数あります: ${ids.join(', ')}。対象の ID をもう少し長く指定してください。`,
  },
  BAD_CONFIGURATION: {
    en: ({ file, reason }: { file: string; reason: Reason }) =>
      `The configuration ${file} cannot be used: ${inLang(reason, 'en')}`,
    ja: ({ file, reason }) => `設定 ${file} を使用できません: ${inLang(reason, 'ja')}`,
  },
  PROJECT_NEEDED: {
    en: ({ roots }: { roots: readonly string[] }) =>
      roots.length === 0
        ? 'No project is registered here. Run sekisho init in its folder, or name one in the address: /mcp?project=/path/to/it'
        : `This server has several projects, so the address must name one: ${roots.map(addressOf).join(' or ')}`,
    ja: ({ roots }) =>
      roots.length === 0
        ? 'プロジェクトが登録されていません。そのフォルダーで sekisho init を実行するか、アドレスで指定してください: /mcp?project=/path/to/it'
        : `このサーバーには複数のプロジェクトがあります。アドレスで指定してください: ${roots.map(addressOf).join(' または ')}`,
  },
  PORT_TAKEN: {
    en: ({ host, port, by }: { host: string; port: number; by?: { pid: number; name: string } | undefined }) =>
      `Another program${by === undefined ? '' : ` (${by.name}, process ${by.pid})`} already listens on ${host}:${port}. Stop it, or choose another port: sekisho up --port 0 takes any free one.`,
    ja: ({ host, port, by }) =>
      `${host}:${port} は既に別のプログラム${by === undefined ? '' : ` (${by.name}、プロセス ${by.pid})`}が使っています。停止するか、別のポートを指定してください。sekisho up --port 0 は空いているポートを使います。`,
  },
  DAEMON_RUNS: {
    en: ({ url, pid }: { url: string | undefined; pid: number | undefined }) =>
      url === undefined
        ? `Another daemon of this user${pid === undefined ? '' : ` (process ${pid})`} runs but does not answer. Stop it, then try again: sekisho down`
        : `A daemon runs already at ${url} (process ${pid}). It serves all your projects: sekisho open shows them. To start another one, stop it first: sekisho down`,
    ja: ({ url, pid }) =>
      url === undefined
        ? `このユーザーの別のデーモン${pid === undefined ? '' : ` (プロセス ${pid})`} が動いていますが、応答しません。停止してからやり直してください: sekisho down`
        : `デーモンは既に ${url} で動いています (プロセス ${pid})。すべてのプロジェクトを担当しています (sekisho open で表示)。別のデーモンを起動するには、先に停止してください: sekisho down`,
  },
  DAEMON_NOT_UP: {
    en: ({ reason, log }: { reason: string; log: string }) =>
      `The daemon did not come up. Its log: ${log}${reason === '' ? '' : `\n${reason}`}`,
    ja: ({ reason, log }) => `デーモンが起動しませんでした。ログ: ${log}${reason === '' ? '' : `\n${reason}`}`,
  },
  STORE_UNAVAILABLE: {
    en: ({ location, reason }: { location: string; reason: Reason }) =>
      `The database ${location} cannot be used: ${inLang(reason, 'en')}`,
    ja: ({ location, reason }) => `データベース ${location} を使用できません: ${inLang(reason, 'ja')}`,
  },
  PLATFORM_UNSUPPORTED: {
    en: ({ platform }: { platform: string }) =>
      `Sekisho brings SQLite for Linux and macOS only, not for ${platform}. Use PostgreSQL there: --db postgres://…`,
    ja: ({ platform }) =>
      `Sekisho の SQLite は Linux と macOS 用だけで、${platform} 用はありません。PostgreSQL を使ってください: --db postgres://…`,
  },
  STORE_FULL: {
    en: ({ location }: { location: string }) =>
      `The disk is full, so the database ${location} took nothing; what it had confirmed is safe. Free some space there, then try again.`,
    ja: ({ location }) =>
      `ディスクがいっぱいのため、データベース ${location} に書き込めませんでした。確認済みの内容は無事です。空き容量を作ってからやり直してください。`,
  },
  STORE_READ_ONLY: {
    en: ({ location }: { location: string }) =>
      `The database ${location} is read-only here. Make its file and folder (or its server) writable for this user, or name another with --db, then try again.`,
    ja: ({ location }) =>
      `データベース ${location} は読み取り専用です。ファイルとフォルダー (またはサーバー) をこのユーザーが書き込めるようにするか、--db で別のものを指定してから、やり直してください。`,
  },
  /** Somebody else was faster each time, and the module has no code of its own for that. */
  STORE_BUSY: {
    en: ({ what }: { what: string }) =>
      `Others changed ${what} each time that this was about to be saved, so nothing was changed by it. Try again; if it stays so, somebody calls in a loop (sekisho journal list shows who).`,
    ja: ({ what }) =>
      `保存しようとするたびに ${what} がほかから変更されたため、何も変更していません。もう一度お試しください。続く場合は、繰り返し呼び出しているものがあります (sekisho journal list で確認できます)。`,
  },
  BACKUP_UNUSABLE: {
    en: ({ file, reason }: { file: string; reason: Reason }) =>
      `The backup ${file} cannot be used: ${inLang(reason, 'en')}. Nothing was changed.`,
    ja: ({ file, reason }) => `バックアップ ${file} を使用できません: ${inLang(reason, 'ja')}。何も変更していません。`,
  },
  BACKUP_EXISTS: {
    en: ({ file }: { file: string }) => `${file} is there already. Choose another name, or add --force to replace it.`,
    ja: ({ file }) => `${file} は既にあります。別の名前にするか、--force を付けて置き換えてください。`,
  },
  RESTORE_UNCONFIRMED: {
    en: () => 'There is no terminal to ask at, so nothing was changed. Look at the differences, then add --yes.',
    ja: () =>
      '端末がないため確認できません。何も変更していません。違いを確認してから、--yes を付けて実行してください。',
  },
  STORE_REMOVED: {
    en: ({ location, what, open }: { location: string; what: string; open: boolean }) =>
      !open
        ? `The database ${location} is gone: this project had it, and somebody removed or emptied it. Restore it (move it back, or from a backup). To begin with an empty one, a person runs: sekisho init`
        : `${what} was removed or replaced while Sekisho had the database ${location} open, so this request was refused. Restore the file (move it back, or from a backup; a lost -wal or -shm file is made again), then restart what has it open: sekisho down and sekisho up, and the AI clients that started sekisho mcp.`,
    ja: ({ location, what, open }) =>
      !open
        ? `データベース ${location} がありません。このプロジェクトで使われていましたが、削除されたか空にされました。元に戻すか (移動し直す、またはバックアップから) 復元してください。空のデータベースで始めるには、人が sekisho init を実行します。`
        : `データベース ${location} を開いている間に ${what} が削除されたか置き換えられたため、このリクエストは拒否しました。ファイルを元に戻し (移動し直すか、バックアップから復元します。失われた -wal と -shm は自動で作り直されます)、データベースを開いているもの (sekisho down と sekisho up、sekisho mcp を起動した AI クライアント) を再起動してください。`,
  },
});

/** The database is in trouble, whatever was asked for. */
export function isOfStore({ code }: Problem): boolean {
  return code.startsWith('STORE_');
}

export const refusal = defineRefusals({
  /** Only a person may do this. */
  person: {
    en: (why: { what: Sentence }) =>
      `Only a person may ${why.what('en')}. Run this at a terminal of your own, or with a person's token in SEKISHO_TOKEN.`,
    ja: (why) =>
      `${why.what('ja')}は、人だけが行えます。ご自分の端末で実行するか、人のトークンを SEKISHO_TOKEN に設定してください。`,
  },
  /** A person of a user database that the store has not admitted. */
  unadmitted: {
    en: (why: { key: string }) =>
      `Your decisions do not count in this store yet: your user database (key ${why.key}) is not admitted. Ask somebody whose decisions count here to run: sekisho admin admit ${why.key}`,
    ja: (why) =>
      `あなたのユーザーデータベース (キー ${why.key}) は、このプロジェクトのデータベースにまだ登録されていません。登録されるまで、あなたの判断は有効になりません。登録済みの人に、次のコマンドの実行を依頼してください: sekisho admin admit ${why.key}`,
  },
  /** The same where the store is older than admission. */
  nobodyAdmitted: {
    en: () =>
      'This store was made by an older Sekisho, and nobody is admitted to it yet. Run sekisho doctor at a terminal: from then on your decisions count here.',
    ja: () =>
      'このデータベースは以前の Sekisho が作ったもので、まだ誰も登録されていません。端末で sekisho doctor を実行してください。それ以降、あなたの判断が有効になります。',
  },
  /** A connection that an agent CLI started says it is a person. */
  claim: {
    en: (why: { role: string; evidence: string }) =>
      `This connection may not act as "${why.role}": it was started by an agent (${why.evidence}). Ask a person to do it at a terminal or in the dashboard.`,
    ja: (why) =>
      `この接続は「${why.role}」として操作できません。エージェントから起動されています (${why.evidence})。人が端末またはダッシュボードで行ってください。`,
  },
  /** Somebody says they are a person, and shows nothing for it. */
  proof: {
    en: (why: { role: string }) =>
      `The role "${why.role}" is a person's, and saying so proves nothing. Run this at a terminal, in its foreground, or with a person's token in SEKISHO_TOKEN (sekisho token create).`,
    ja: (why) =>
      `ロール「${why.role}」は人のものです。名乗るだけでは認められません。端末のフォアグラウンドで実行するか、人のトークンを SEKISHO_TOKEN に設定してください (sekisho token create)。`,
  },
  /** A stdio server is started by its client, which is an agent. */
  server: {
    en: (why: { role: string }) =>
      `A server over stdio is always an agent's, so it may not act as "${why.role}". A person uses the command line at a terminal, or the daemon with a person's token.`,
    ja: (why) =>
      `stdio のサーバーは常にエージェントのものです。「${why.role}」として操作できません。人は端末のコマンドライン、または人のトークンでデーモンを使ってください。`,
  },
  /** A name that only Sekisho itself has. */
  reserved: {
    en: (why: { role: string }) => `The role "${why.role}" is reserved for Sekisho itself.`,
    ja: (why) => `ロール「${why.role}」は Sekisho 自身のために予約されています。`,
  },
  /** The token that this process was started with is unknown or has expired. */
  token: {
    en: () => 'The token that this server was started with (SEKISHO_TOKEN) is not valid, or not any more.',
    ja: () => 'このサーバーの起動時のトークン (SEKISHO_TOKEN) は無効か、期限切れです。',
  },
  /** A command in a sandbox. */
  inside: {
    en: () => 'Only "sekisho mcp" and "sekisho hook" are here: this is a sandbox. Run the command outside of it.',
    ja: () =>
      'ここで使えるのは「sekisho mcp」と「sekisho hook」だけです (サンドボックスの中です)。サンドボックスの外で実行してください。',
  },
  /** Only a person's connection has this toolset. */
  toolset: {
    en: (why: { role: string; toolset: string; command?: string | undefined }) =>
      `Only a person's connection has the ${why.toolset} tools; this one acts as "${why.role}". Ask a person to do it in the dashboard or at a terminal${why.command === undefined ? '.' : `: ${why.command}`}`,
    ja: (why) =>
      `${why.toolset} のツールは人の接続でのみ使えます。この接続のロールは「${why.role}」です。人がダッシュボードまたは端末で行ってください${why.command === undefined ? '。' : `: ${why.command}`}`,
  },
  /** `toolsets` leaves it out. */
  unserved: {
    en: (why: { toolset: string; served: readonly string[] }) =>
      `The toolset ${why.toolset} is switched off here (on: ${why.served.join(', ')}). If --toolsets or SEKISHO_TOOLSETS is set, add it there; otherwise a person switches it on with: sekisho init --toolsets ${why.served.join(',')},${why.toolset}`,
    ja: (why) =>
      `ツールセット ${why.toolset} はここではオフです (オン: ${why.served.join(', ')})。--toolsets または SEKISHO_TOOLSETS を指定している場合はそこに追加し、それ以外は人が次のコマンドでオンにします: sekisho init --toolsets ${why.served.join(',')},${why.toolset}`,
  },
});

export const phrase = definePhrases({
  /** What is wrong with one value. */
  nul: {
    en: () => 'it holds a NUL character (U+0000), which no text may',
    ja: () => 'NUL 文字 (U+0000) が含まれています。テキストには使えません',
  },
  surrogate: {
    en: () => 'it holds half of a character (a lone surrogate), so it is no valid Unicode',
    ja: () => '文字の片割れ (孤立サロゲート) が含まれており、正しい Unicode ではありません',
  },
  depth: {
    en: ({ most }: { most: number }) => `it is nested deeper than ${most} levels`,
    ja: ({ most }) => `入れ子が ${most} 段を超えています`,
  },
  inputInvalid: {
    en: ({ issues }: { issues: string }) => `The input is not valid: ${issues}`,
    ja: ({ issues }) => `入力が正しくありません: ${issues}`,
  },
});

/** Why this actor may not do what only a person may. */
export function personNeeded({ userDatabase }: { readonly userDatabase?: string }, what: Sentence): Problem {
  return userDatabase === undefined ? refusal.person({ what }) : refusal.unadmitted({ key: userDatabase });
}
