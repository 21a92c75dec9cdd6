import type { Japanese } from '../kernel/text/text.ts';
import { maxDepth } from '../kernel/json-limits.ts';
import { endSentence, listJapanese } from '../kernel/text/list.ts';
import type {
  englishProblem as problemEnglish,
  englishRefusal as refusalEnglish,
  englishPhrase as phraseEnglish,
} from './problem.ts';

export const problem: Japanese<typeof problemEnglish> = {
  HOOK_INPUT: ({ client, reason }) =>
    ({
      no_json: `${client} からフックに渡された内容が JSON ではありません`,
      too_deep: `${client} からフックに渡された内容の入れ子が ${maxDepth} 段を超えています`,
      no_object: `${client} からフックに渡された内容が JSON オブジェクトではありません`,
      no_tool: `${client} からフックに渡された内容にツール名がありません`,
      no_event: `どのイベントのフックか指定されていません`,
      unknown_client: `クライアント「${client}」はありません`,
    })[reason],
  HOOK_DAEMON_GONE: ({ reason }) => `Sekisho のデーモンに接続できません (${reason})。再び動くまで何も許可されません。`,
};

export const refusal: Japanese<typeof refusalEnglish> = {
  protected: ({ tool, path, kind }) =>
    (kind === 'ours'
      ? `${tool} で ${path} は書き込めません。Sekisho のファイルにはエージェントが従うプロセスがあり、編集できるのは人だけです。`
      : `${tool} で ${path} は書き込めません。クライアントが起動するフックとサーバーを決めるファイルなので、編集できるのは人だけです。`) +
    '変更が必要なら、その内容を人に伝えてください。先へ進むには state_gate.emit_event で証拠を提出してください。',
};

export const phrase: Japanese<typeof phraseEnglish> = {
  permittedIn: ({ tool, states }) =>
    states.length === 0
      ? `このプロセスでは、どの状態でも ${tool} は許可されていません。`
      : `${tool} が許可される状態: ${listJapanese(states)}。`,
  failed: ({ reason, closed }) =>
    closed
      ? `Sekisho はこの呼び出しを確認できませんでした。そのため許可しません: ${endSentence(reason, '。')}人に知らせてください。原因は sekisho doctor で調べられます (動作は .sekisho/config.yaml の hook.fail で決まります)。`
      : `Sekisho はこの呼び出しを確認できず、そのまま通しました: ${reason}`,
  bindsToo: ({ run_id, process, state }) =>
    `run ${run_id} (${process}、状態「${state}」) にも従います。どちらかが拒否したものは拒否されます。`,
  state: (run) =>
    [
      `${run.restated ? '会話は要約されましたが、次の内容は引き続き有効です。' : ''}このプロジェクトはプロセス ${run.process} ${run.version} に従います。run ${run.run_id} は状態「${run.state}」です (revision ${run.revision})。`,
      ...(run.prompt === null ? [] : ['', run.prompt.trim(), '']),
      ...(run.denied.length > 0 ? [`禁止されているツール: ${listJapanese(run.denied)}。`] : []),
      ...(run.ask.length > 0 ? [`人の確認が必要なツール: ${listJapanese(run.ask)}。`] : []),
      ...(run.allowed.length > 0 ? [`許可されているツール: ${listJapanese(run.allowed)}。それ以外は禁止です。`] : []),
      ...(run.missing.length > 0 ? [`不足している成果物: ${listJapanese(run.missing)}。`] : []),
      ...(run.asks.length > 0
        ? [
            `この状態から進むには人の承認が必要です。次のコマンドの実行を依頼してください: ${run.asks.join(' または ')}`,
            `ほかにすることがなければ、wait_ms: 50000、since_revision: ${run.revision} で state_gate.get_state を呼び出し、リビジョンが増えるまで繰り返して待ってください。`,
          ]
        : []),
      run.events.length > 0
        ? `現在発行できるイベント: ${listJapanese(run.events)}。証拠は state_gate.emit_event で提出し、不足は state_gate.get_state で確認してください。`
        : '現在発行できるイベントはありません。人の操作が必要です。詳細は state_gate.get_state で確認できます。',
    ].join('\n'),
  notDone: ({ run_id, state, missing, events }) =>
    `run ${run_id} はまだ状態「${state}」で、次の成果物が不足しています: ${listJapanese(missing)}。作成して state_gate.emit_event${
      events.length > 0 ? ` (${listJapanese(events)})` : ''
    } で提出するか、できない理由をはっきり述べてください。`,
  usage: ({ clients, events }) =>
    `使い方: sekisho hook ${events.join('|')} [--client ${clients.join('|')}] [--run-id ID] [--project FOLDER] [--db PATH|URL]\n\nエージェント CLI のフックに 1 回答えます。標準入力にその JSON を受け取り、その CLI の形式で標準出力に答えます。設定は sekisho init --client claude で行えます。`,
  noRun: ({ process }) =>
    `このプロジェクトは Sekisho の管理下にあり、進行中の run はありません。作業を頼まれたら (「Sekisho の run を始めて: …」) process_id "${process}" で state_gate.create_run を呼び (ほかは state_gate.list_processes)、続けて state_gate.get_state を呼んでください。`,
};
