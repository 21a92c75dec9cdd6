import { type Japanese, inLang } from './text/text.ts';
import { ruleIn } from './text/rule.ts';
import { projectAddress } from './text/list.ts';
import type {
  englishProblem as problemEnglish,
  englishRefusal as refusalEnglish,
  englishPhrase as phraseEnglish,
} from './problem.ts';
import type { english as trustNoteEnglish } from './trust.ts';

export const problem: Japanese<typeof problemEnglish> = {
  INTERNAL_ERROR: ({ reference }) =>
    `リクエストではなく Sekisho 側の不具合です。ログの ${reference} を添えて報告してください。`,
  VALIDATION_ERROR: ({ errors }) =>
    `入力が正しくありません。${errors.map((one) => `${one.path}: ${ruleIn('ja', one.message)}`).join('; ')}`,
  UNKNOWN_COMMAND: ({ command, suggestion }) =>
    `コマンド「${command}」はありません。${suggestion === undefined ? '' : `「${suggestion}」ではありませんか。`}sekisho --help をご覧ください。`,
  WRONG_USE: ({ usage }) => `使い方: ${usage}`,
  PROGRAM_MISSING: ({ example }) =>
    `起動するプログラムがありません。エージェント CLI か、-- の後に任意のプログラムを指定してください。例: ${example}`,
  ID_AMBIGUOUS: ({ prefix, ids }) =>
    `「${prefix}」で始まるものが複数あります: ${ids.join(', ')}。対象の ID をもう少し長く指定してください。`,
  BAD_CONFIGURATION: ({ file, reason }) => `設定 ${file} を使用できません: ${inLang(reason, 'ja')}`,
  PROJECT_NEEDED: ({ roots }) =>
    roots.length === 0
      ? 'プロジェクトが登録されていません。そのフォルダーで sekisho init を実行するか、アドレスで指定してください: /mcp?project=/path/to/it'
      : `このサーバーには複数のプロジェクトがあります。アドレスで指定してください: ${roots.map(projectAddress).join(' または ')}`,
  PORT_TAKEN: ({ host, port, by }) =>
    `${host}:${port} は既に別のプログラム${by === undefined ? '' : ` (${by.name}、プロセス ${by.pid})`}が使っています。停止するか、別のポートを指定してください。sekisho up --port 0 は空いているポートを使います。`,
  DAEMON_RUNS: ({ url, pid }) =>
    url === undefined
      ? `このユーザーの別のデーモン${pid === undefined ? '' : ` (プロセス ${pid})`} が動いていますが、応答しません。停止してからやり直してください: sekisho down`
      : `デーモンは既に ${url} で動いています (プロセス ${pid})。すべてのプロジェクトを担当しています (sekisho open で表示)。別のデーモンを起動するには、先に停止してください: sekisho down`,
  DAEMON_NOT_UP: ({ reason, log }) => `デーモンが起動しませんでした。ログ: ${log}${reason === '' ? '' : `\n${reason}`}`,
  STORE_UNAVAILABLE: ({ location, reason }) => `データベース ${location} を使用できません: ${inLang(reason, 'ja')}`,
  PLATFORM_UNSUPPORTED: ({ platform }) =>
    `Sekisho の SQLite は Linux と macOS 用だけで、${platform} 用はありません。PostgreSQL を使ってください: --db postgres://…`,
  STORE_FULL: ({ location }) =>
    `ディスクがいっぱいのため、データベース ${location} に書き込めませんでした。確認済みの内容は無事です。空き容量を作ってからやり直してください。`,
  STORE_READ_ONLY: ({ location }) =>
    `データベース ${location} は読み取り専用です。ファイルとフォルダー (またはサーバー) をこのユーザーが書き込めるようにするか、--db で別のものを指定してから、やり直してください。`,
  STORE_BUSY: ({ what }) =>
    `保存しようとするたびに ${what} がほかから変更されたため、何も変更していません。もう一度お試しください。続く場合は、繰り返し呼び出しているものがあります (sekisho journal list で確認できます)。`,
  BACKUP_UNUSABLE: ({ file, reason }) =>
    `バックアップ ${file} を使用できません: ${inLang(reason, 'ja')}。何も変更していません。`,
  BACKUP_EXISTS: ({ file }) => `${file} は既にあります。別の名前にするか、--force を付けて置き換えてください。`,
  RESTORE_UNCONFIRMED: () =>
    '端末がないため確認できません。何も変更していません。違いを確認してから、--yes を付けて実行してください。',
  STORE_REMOVED: ({ location, what, open }) =>
    !open
      ? `データベース ${location} がありません。このプロジェクトで使われていましたが、削除されたか空にされました。元に戻すか (移動し直す、またはバックアップから) 復元してください。空のデータベースで始めるには、人が sekisho init を実行します。`
      : `データベース ${location} を開いている間に ${what} が削除されたか置き換えられたため、このリクエストは拒否しました。ファイルを元に戻し (移動し直すか、バックアップから復元します。失われた -wal と -shm は自動で作り直されます)、データベースを開いているもの (sekisho down と sekisho up、sekisho mcp を起動した AI クライアント) を再起動してください。`,
};

export const refusal: Japanese<typeof refusalEnglish> = {
  person: (why) =>
    `${why.what('ja')}は、人だけが行えます。ご自分の端末で実行するか、人のトークンを SEKISHO_TOKEN に設定してください。`,
  unadmitted: (why) =>
    `あなたのユーザーデータベース (キー ${why.key}) は、このプロジェクトのデータベースにまだ登録されていません。登録されるまで、あなたの判断は有効になりません。登録済みの人に、次のコマンドの実行を依頼してください: sekisho admin admit ${why.key}`,
  nobodyAdmitted: () =>
    'このデータベースは以前の Sekisho が作ったもので、まだ誰も登録されていません。端末で sekisho doctor を実行してください。それ以降、あなたの判断が有効になります。',
  claim: (why) =>
    `この接続は「${why.role}」として操作できません。エージェントから起動されています (${why.evidence})。人が端末またはダッシュボードで行ってください。`,
  proof: (why) =>
    `ロール「${why.role}」は人のものです。名乗るだけでは認められません。端末のフォアグラウンドで実行するか、人のトークンを SEKISHO_TOKEN に設定してください (sekisho token create)。`,
  server: (why) =>
    `stdio のサーバーは常にエージェントのものです。「${why.role}」として操作できません。人は端末のコマンドライン、または人のトークンでデーモンを使ってください。`,
  reserved: (why) => `ロール「${why.role}」は Sekisho 自身のために予約されています。`,
  token: () => 'このサーバーの起動時のトークン (SEKISHO_TOKEN) は無効か、期限切れです。',
  inside: () =>
    'ここで使えるのは「sekisho mcp」と「sekisho hook」だけです (サンドボックスの中です)。サンドボックスの外で実行してください。',
  toolset: (why) =>
    `${why.toolset} のツールは人の接続でのみ使えます。この接続のロールは「${why.role}」です。人がダッシュボードまたは端末で行ってください${why.command === undefined ? '。' : `: ${why.command}`}`,
  unserved: (why) =>
    `ツールセット ${why.toolset} はここではオフです (オン: ${why.served.join(', ')})。--toolsets または SEKISHO_TOOLSETS を指定している場合はそこに追加し、それ以外は人が次のコマンドでオンにします: sekisho init --toolsets ${why.served.join(',')},${why.toolset}`,
};

export const phrase: Japanese<typeof phraseEnglish> = {
  nul: () => 'NUL 文字 (U+0000) が含まれています。テキストには使えません',
  surrogate: () => '文字の片割れ (孤立サロゲート) が含まれており、正しい Unicode ではありません',
  depth: ({ most }) => `入れ子が ${most} 段を超えています`,
  inputInvalid: ({ issues }) => `入力が正しくありません: ${issues}`,
};

export const trustNote: Japanese<typeof trustNoteEnglish> = {
  configurationNever: () =>
    '.sekisho/config.yaml は信頼されていません。人が確認するまで lang、toolNames、toolsets だけが有効です (sekisho trust)',
  configurationChanged: () =>
    '.sekisho/config.yaml は信頼された後に変更されています。変更が信頼されるまで、信頼された内容が使われます (sekisho trust)',
};
