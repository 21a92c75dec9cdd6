import { type Reason, type Words, combineWords } from '../../kernel/text/text.ts';
import { words } from '../words.ts';

/** Reasons why an upstream is disconnected. Messages of the upstream or the system stay unchanged. */
export const causes = {
  closing: words('Sekisho is closing'),
  closed: words('closed'),
  wentAway: words('the connection was lost'),
  notConnected: words('it is not connected'),
  unestablished: words('the connection was not established'),
  ended: words('it has ended'),
  streamEnded: words('the response stream ended'),
  eventsBroke: (said: string): Words => ({
    en: `the event stream broke: ${said}`,
    ja: `イベントのストリームが切れました: ${said}`,
  }),
  notFound: (program: string): Words => ({
    en: `the program ${program} was not found`,
    ja: `プログラム ${program} が見つかりません`,
  }),
  silent: (method: string | undefined, ms: number): Words => ({
    en: `it did not answer ${method === undefined ? '' : `${method} `}within ${ms} ms`,
    ja: `${ms} ミリ秒以内に${method === undefined ? '' : ` ${method} への`}応答がありませんでした`,
  }),
  unknownVersion: (version: string): Words => ({
    en: `it speaks the unknown protocol version ${version}`,
    ja: `未知のプロトコルバージョン ${version} を使っています`,
  }),
  unknownVersions: (versions: readonly string[]): Words => ({
    en: `it speaks only the unknown protocol versions ${versions.join(', ')}`,
    ja: `未知のプロトコルバージョン (${versions.join('、')}) しか使えません`,
  }),
  initFailed: (said: string): Words => ({
    en: `the init script failed: ${said}`,
    ja: `初期化スクリプトが失敗しました: ${said}`,
  }),
  exited({ code, signal, sandbox, said }: Exit): Words {
    const how: Words =
      signal === null
        ? { en: `it ended with exit code ${String(code)}`, ja: `終了コード ${String(code)} で終了しました` }
        : { en: `it was ended by ${signal}`, ja: `${signal} で終了しました` };
    // A resource that is out of reach in the sandbox is a frequent cause.
    const where: Reason =
      sandbox === undefined ? '' : { en: ` in the sandbox (${sandbox})`, ja: ` (サンドボックス ${sandbox} の中)` };
    return combineWords((say) => `${say(how)}${say(where)}${said === '' ? '' : `: ${said}`}`);
  },
};

interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly sandbox: string | undefined;
  /** The end of its stderr. */
  readonly said: string;
}
