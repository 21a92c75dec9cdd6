import type { Problem } from '../kernel/problem.ts';
import { defineProblems } from '../kernel/problem.ts';
import type { Reason, Sentence } from '../kernel/text/text.ts';
import { definePhrases, inLang } from '../kernel/text/text.ts';

export const problem = defineProblems({
  /** Nothing is configured that could be activated. */
  UPSTREAM_NONE: {
    en: ({ note }: { note: Sentence | undefined }) =>
      note === undefined
        ? 'No upstream is configured. Add one under "upstreams:" in .sekisho/config.yaml.'
        : `No upstream is in effect: ${note('en')}.`,
    ja: ({ note }) =>
      note === undefined
        ? '上流 MCP が設定されていません。.sekisho/config.yaml の upstreams: に追加してください。'
        : `有効な上流 MCP がありません。${note('ja')}。`,
  },
  UPSTREAM_UNKNOWN: {
    en: ({ upstream: name, known, note }: { upstream: string; known: readonly string[]; note: Sentence | undefined }) =>
      `There is no upstream "${name}". There are: ${known.join(', ')}.${note === undefined ? '' : ` Mind that ${note('en')}.`}`,
    ja: ({ upstream: name, known, note }) =>
      `上流「${name}」はありません。設定されているのは ${known.join('、')} です。${note === undefined ? '' : `なお、${note('ja')}。`}`,
  },
  UPSTREAM_UNREACHABLE: {
    en: ({ upstream: name, address, cause }: { upstream: string; address: string; cause: Reason }) =>
      `Cannot connect to upstream "${name}" at ${address}: ${inLang(cause, 'en')}. Start it, then call activate again.`,
    ja: ({ upstream: name, address, cause }) =>
      `上流「${name}」(${address}) に接続できません: ${inLang(cause, 'ja')}。起動してから activate を再度呼んでください。`,
  },
  /** In the upstream's own words. */
  UPSTREAM_INIT_FAILED: {
    en: ({ upstream: name, tool, script, cause }: { upstream: string; tool: string; script: string; cause: string }) =>
      `Upstream "${name}" is connected but not activated: its init script ${script} (through ${tool}) failed. It said: ${cause}`,
    ja: ({ upstream: name, tool, script, cause }) =>
      `上流「${name}」に接続しましたが、初期化スクリプト ${script}(${tool} 経由)が失敗したため有効化していません。上流のエラー: ${cause}`,
  },
  /** Nothing was sent: the file is at fault. */
  UPSTREAM_INIT_SCRIPT: {
    en: ({ upstream: name, script, cause }: { upstream: string; script: string; cause: string }) =>
      `The init script ${script} of upstream "${name}" cannot be read: ${cause}. The upstream was asked nothing. Put the file there, or correct its path (init.script, --init-script), then call activate again.`,
    ja: ({ upstream: name, script, cause }) =>
      `上流「${name}」の初期化スクリプト ${script} を読めません: ${cause}。上流には何も送っていません。ファイルを置くか、パス (init.script、--init-script) を直してから、activate を再度呼んでください。`,
  },
  /** `activate` must quote the phrase that the skill's text contains. */
  UPSTREAM_PHRASE: {
    en: ({ upstream: name, skill, given }: { upstream: string; skill: string | undefined; given: boolean }) =>
      `${given ? 'This is not the phrase of' : 'A phrase is needed for'} upstream "${name}". Read the skill${skill === undefined ? '' : ` "${skill}"`} and call activate with the phrase that its text gives: activate({"phrase": "…"}).`,
    ja: ({ upstream: name, skill, given }) =>
      `上流「${name}」の合言葉${given ? 'が違います' : 'が必要です'}。スキル${skill === undefined ? '' : `「${skill}」`}を読み、そこに書かれた合言葉を付けて activate({"phrase": "…"}) を呼んでください。`,
  },
  /** Of several, some did not become active. */
  UPSTREAM_ACTIVATION: {
    en: ({ active, failures }: { active: readonly string[]; failures: readonly Problem[] }) =>
      `Not every upstream was activated. ${failures.map((one) => one.in('en')).join(' ')}${active.length === 0 ? '' : ` Active: ${active.join(', ')}.`}`,
    ja: ({ active, failures }) =>
      `有効化できなかった上流があります。${failures.map((one) => one.in('ja')).join(' ')}${active.length === 0 ? '' : ` 有効: ${active.join('、')}。`}`,
  },
});

export const phrase = definePhrases({
  noticeAway: {
    en: ({ cause }: { cause: Reason }) => `The upstream is away${cause === '' ? '.' : `: ${inLang(cause, 'en')}`}`,
    ja: ({ cause }) => `上流に接続できません${cause === '' ? '。' : `: ${inLang(cause, 'ja')}`}`,
  },
  locked: {
    en: ({
      upstream: name,
      skill,
      quotes,
      several,
    }: {
      upstream: string;
      skill: string | undefined;
      quotes: boolean;
      several: boolean;
    }) =>
      `The tools of upstream "${name}" are locked. ${skill === undefined ? 'Call' : `First load the skill "${skill}" (/${skill}) and read it, then call`} activate(${several || quotes ? `{${[several && `"upstream": "${name}"`, quotes && '"phrase": "…as the skill gives it"'].filter(Boolean).join(', ')}}` : ''}). Then call this tool again.`,
    ja: ({ upstream: name, skill, quotes, several }) =>
      `上流「${name}」のツールはロックされています。${skill === undefined ? '' : `まずスキル「${skill}」(/${skill})をロードして読み、`}activate(${several || quotes ? `{${[several && `"upstream": "${name}"`, quotes && '"phrase": "…スキルに書かれた合言葉"'].filter(Boolean).join(', ')}}` : ''}) を呼んでから、このツールを再度呼んでください。`,
  },
  disconnected: {
    en: ({ upstream: name, cause, several }: { upstream: string; cause: Reason; several: boolean }) =>
      `Upstream "${name}" is disconnected (${inLang(cause, 'en')}). Call activate${several ? `({"upstream": "${name}"})` : ''} again, then repeat this call. 上流MCP切断。activate を再度呼んでください`,
    ja: ({ upstream: name, cause, several }) =>
      `上流MCP切断。activate を再度呼んでください(上流「${name}」: ${inLang(cause, 'ja')}${several ? `。activate({"upstream": "${name}"})` : ''})`,
  },
  unreachable: {
    en: ({ upstream: name, address, cause }: { upstream: string; address: string; cause: Reason }) =>
      `Cannot connect to upstream "${name}" at ${address}: ${inLang(cause, 'en')}. The call was not sent. Once it runs, just call again.`,
    ja: ({ upstream: name, address, cause }) =>
      `上流「${name}」(${address}) に接続できません: ${inLang(cause, 'ja')}。呼び出しは送信していません。起動後にもう一度呼んでください。`,
  },
  init: {
    en: ({ upstream: name, cause }: { upstream: string; cause: Reason }) =>
      `The init script of upstream "${name}" failed, so the call was not sent. It said: ${inLang(cause, 'en')}`,
    ja: ({ upstream: name, cause }) =>
      `上流「${name}」の初期化スクリプトが失敗したため、呼び出しを送信していません。上流のエラー: ${inLang(cause, 'ja')}`,
  },
  script: {
    en: ({ upstream: name, cause }: { upstream: string; cause: Reason }) =>
      `The init script of upstream "${name}" cannot be read, so the call was not sent: ${inLang(cause, 'en')}. Put the file there, or correct its path (init.script, --init-script), then call again.`,
    ja: ({ upstream: name, cause }) =>
      `上流「${name}」の初期化スクリプトを読めないため、呼び出しを送信していません: ${inLang(cause, 'ja')}。ファイルを置くか、パス (init.script、--init-script) を直してから、もう一度呼んでください。`,
  },
  /** The connection broke while the call was running, and nobody knows how far it came. */
  interrupted: {
    en: ({ upstream: name, tool, cause, manual }: { upstream: string; tool: string; cause: Reason; manual: boolean }) =>
      `The connection to upstream "${name}" broke while ${tool} was running (${inLang(cause, 'en')}). It may have run, so it is not repeated. ${manual ? 'Call activate again, look' : 'Look'} whether it took effect, then decide whether to call it again.`,
    ja: ({ upstream: name, tool, cause, manual }) =>
      `${tool} の実行中に上流「${name}」との接続が切れました(${inLang(cause, 'ja')})。実行された可能性があるため自動では再実行しません。${manual ? 'activate を再度呼び、' : ''}結果を確認してから、必要ならもう一度呼んでください。`,
  },
  bare: {
    en: ({ upstream: name }: { upstream: string }) =>
      `A tool of the upstream "${name}", whose description is not known yet because it was never reached.`,
    ja: ({ upstream: name }) => `上流「${name}」のツール。まだ一度も接続していないため、説明は不明です。`,
  },
});
