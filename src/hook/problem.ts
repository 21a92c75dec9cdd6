import { defineProblems, defineRefusals } from '../kernel/problem.ts';
import { maxDepth } from '../kernel/json-limits.ts';
import { definePhrases } from '../kernel/text/text.ts';

export type HookFault = 'no_json' | 'too_deep' | 'no_object' | 'no_tool' | 'no_event' | 'unknown_client';

const listedEn = (items: readonly string[]) => items.join(', ');
const listedJa = (items: readonly string[]) => items.join(', ');

/** As a sentence with an end, which it may have already. */
const ended = (text: string, stop: string) => (/[.。]$/.test(text) ? text : text + stop);

export const problem = defineProblems({
  /** What a hook got on stdin, or was asked, makes no sense. */
  HOOK_INPUT: {
    en: ({ client, reason }: { client: string; reason: HookFault }) =>
      ({
        no_json: `what ${client} sent to the hook is no JSON`,
        too_deep: `what ${client} sent to the hook is nested deeper than ${maxDepth} levels`,
        no_object: `what ${client} sent to the hook is no JSON object`,
        no_tool: `what ${client} sent to the hook names no tool`,
        no_event: `the hook was not told which event it is about`,
        unknown_client: `there is no client "${client}"`,
      })[reason],
    ja: ({ client, reason }) =>
      ({
        no_json: `${client} からフックに渡された内容が JSON ではありません`,
        too_deep: `${client} からフックに渡された内容の入れ子が ${maxDepth} 段を超えています`,
        no_object: `${client} からフックに渡された内容が JSON オブジェクトではありません`,
        no_tool: `${client} からフックに渡された内容にツール名がありません`,
        no_event: `どのイベントのフックか指定されていません`,
        unknown_client: `クライアント「${client}」はありません`,
      })[reason],
  },
  /** In a sandbox the daemon outside answers, or nobody does. */
  HOOK_DAEMON_GONE: {
    en: ({ reason }: { reason: string }) =>
      `Sekisho's daemon cannot be reached (${reason}); nothing is allowed until it runs again.`,
    ja: ({ reason }) => `Sekisho のデーモンに接続できません (${reason})。再び動くまで何も許可されません。`,
  },
});

export const refusal = defineRefusals({
  /** What holds an agent to the process is not the agent's to change. */
  protected: {
    en: ({ tool, path, kind }: { tool: string; path: string; kind: 'ours' | 'client' }) =>
      (kind === 'ours'
        ? `${tool} may not write ${path}: the files of Sekisho hold the process that agents are bound to, so only a person edits them. `
        : `${tool} may not write ${path}: that file decides which hooks and servers your client starts, so only a person edits it. `) +
      'Tell the person what should stand there. To move the run on, submit evidence with state_gate.emit_event.',
    ja: ({ tool, path, kind }) =>
      (kind === 'ours'
        ? `${tool} で ${path} は書き込めません。Sekisho のファイルにはエージェントが従うプロセスがあり、編集できるのは人だけです。`
        : `${tool} で ${path} は書き込めません。クライアントが起動するフックとサーバーを決めるファイルなので、編集できるのは人だけです。`) +
      '変更が必要なら、その内容を人に伝えてください。先へ進むには state_gate.emit_event で証拠を提出してください。',
  },
});

export const phrase = definePhrases({
  permittedIn: {
    en: ({ tool, states }: { tool: string; states: readonly string[] }) =>
      states.length === 0
        ? `No state of this process permits ${tool}.`
        : `${tool} is permitted in: ${listedEn(states)}.`,
    ja: ({ tool, states }) =>
      states.length === 0
        ? `このプロセスでは、どの状態でも ${tool} は許可されていません。`
        : `${tool} が許可される状態: ${listedJa(states)}。`,
  },
  /** The hook itself failed; `closed` says whether the call was stopped for it. */
  failed: {
    en: ({ reason, closed }: { reason: string; closed: boolean }) =>
      closed
        ? `Sekisho could not check this call, and while a run is open that means no: ${ended(reason, '.')} Tell a person; sekisho doctor helps to find the cause (hook.fail in .sekisho/config.yaml decides what happens then).`
        : `Sekisho could not check this call and let it pass: ${reason}`,
    ja: ({ reason, closed }) =>
      closed
        ? `Sekisho はこの呼び出しを確認できませんでした。run が進行中のため許可しません: ${ended(reason, '。')}人に知らせてください。原因は sekisho doctor で調べられます (動作は .sekisho/config.yaml の hook.fail で決まります)。`
        : `Sekisho はこの呼び出しを確認できず、そのまま通しました: ${reason}`,
  },
  bindsToo: {
    en: ({ run_id, process, state }: { run_id: string; process: string; state: string }) =>
      `Run ${run_id} (${process}, state "${state}") binds you too: what one of them denies is denied.`,
    ja: ({ run_id, process, state }) =>
      `run ${run_id} (${process}、状態「${state}」) にも従います。どちらかが拒否したものは拒否されます。`,
  },
  state: {
    en: (run: {
      run_id: string;
      process: string;
      version: string;
      state: string;
      revision: number;
      prompt: string | null;
      allowed: readonly string[];
      denied: readonly string[];
      ask: readonly string[];
      events: readonly string[];
      missing: readonly string[];
      /** Commands with which a person approves. */
      asks: readonly string[];
      /** The conversation was shortened: what stood there may be gone. */
      restated: boolean;
    }) =>
      [
        `${run.restated ? 'The conversation was shortened; this still holds. ' : ''}This project is under the process ${run.process} ${run.version}. Run ${run.run_id} is in the state "${run.state}" (revision ${run.revision}).`,
        ...(run.prompt === null ? [] : ['', run.prompt.trim(), '']),
        ...(run.denied.length > 0 ? [`Denied tools: ${listedEn(run.denied)}.`] : []),
        ...(run.ask.length > 0 ? [`Tools for which a person is asked: ${listedEn(run.ask)}.`] : []),
        ...(run.allowed.length > 0 ? [`Allowed tools: ${listedEn(run.allowed)}. All others are denied.`] : []),
        ...(run.missing.length > 0 ? [`Artifacts still missing: ${listedEn(run.missing)}.`] : []),
        ...(run.asks.length > 0
          ? [
              `A way out of this state needs a person's approval. Ask them to run: ${run.asks.join(' or ')}`,
              `Where nothing else is left to do, wait for it: call state_gate.get_state with wait_ms: 50000, since_revision: ${run.revision}, and repeat the call until the revision grows.`,
            ]
          : []),
        run.events.length > 0
          ? `Events that you may emit now: ${listedEn(run.events)}. Submit evidence with state_gate.emit_event; state_gate.get_state shows what is missing.`
          : 'There is no event that you may emit now; a person has to act. state_gate.get_state shows the details.',
      ].join('\n'),
    ja: (run) =>
      [
        `${run.restated ? '会話は要約されましたが、次の内容は引き続き有効です。' : ''}このプロジェクトはプロセス ${run.process} ${run.version} に従います。run ${run.run_id} は状態「${run.state}」です (revision ${run.revision})。`,
        ...(run.prompt === null ? [] : ['', run.prompt.trim(), '']),
        ...(run.denied.length > 0 ? [`禁止されているツール: ${listedJa(run.denied)}。`] : []),
        ...(run.ask.length > 0 ? [`人の確認が必要なツール: ${listedJa(run.ask)}。`] : []),
        ...(run.allowed.length > 0 ? [`許可されているツール: ${listedJa(run.allowed)}。それ以外は禁止です。`] : []),
        ...(run.missing.length > 0 ? [`不足している成果物: ${listedJa(run.missing)}。`] : []),
        ...(run.asks.length > 0
          ? [
              `この状態から進むには人の承認が必要です。次のコマンドの実行を依頼してください: ${run.asks.join(' または ')}`,
              `ほかにすることがなければ、wait_ms: 50000、since_revision: ${run.revision} で state_gate.get_state を呼び出し、リビジョンが増えるまで繰り返して待ってください。`,
            ]
          : []),
        run.events.length > 0
          ? `現在発行できるイベント: ${listedJa(run.events)}。証拠は state_gate.emit_event で提出し、不足は state_gate.get_state で確認してください。`
          : '現在発行できるイベントはありません。人の操作が必要です。詳細は state_gate.get_state で確認できます。',
      ].join('\n'),
  },
  notDone: {
    en: ({
      run_id,
      state,
      missing,
      events,
    }: {
      run_id: string;
      state: string;
      missing: readonly string[];
      events: readonly string[];
    }) =>
      `Run ${run_id} is still in the state "${state}", and these artifacts are missing: ${listedEn(missing)}. Make them and submit them with state_gate.emit_event${
        events.length > 0 ? ` (${listedEn(events)})` : ''
      }, or say plainly why you cannot.`,
    ja: ({ run_id, state, missing, events }) =>
      `run ${run_id} はまだ状態「${state}」で、次の成果物が不足しています: ${listedJa(missing)}。作成して state_gate.emit_event${
        events.length > 0 ? ` (${listedJa(events)})` : ''
      } で提出するか、できない理由をはっきり述べてください。`,
  },
  usage: {
    en: ({ clients, events }: { clients: readonly string[]; events: readonly string[] }) =>
      `Usage: sekisho hook ${events.join('|')} [--client ${clients.join('|')}] [--run-id ID] [--project FOLDER] [--db PATH|URL]\n\nAnswers one hook of an agent CLI: its JSON on stdin, our answer in its own shape on stdout. sekisho init --client claude installs it.`,
    ja: ({ clients, events }) =>
      `使い方: sekisho hook ${events.join('|')} [--client ${clients.join('|')}] [--run-id ID] [--project FOLDER] [--db PATH|URL]\n\nエージェント CLI のフックに 1 回答えます。標準入力にその JSON を受け取り、その CLI の形式で標準出力に答えます。設定は sekisho init --client claude で行えます。`,
  },
  /** A session begins in a project without an open run. */
  noRun: {
    en: ({ process }: { process: string }) =>
      `This project is under Sekisho, and no run is open. For a piece of work ("Start a Sekisho run: …") call state_gate.create_run with process_id "${process}" (state_gate.list_processes shows the others), then state_gate.get_state.`,
    ja: ({ process }) =>
      `このプロジェクトは Sekisho の管理下にあり、進行中の run はありません。作業を頼まれたら (「Sekisho の run を始めて: …」) process_id "${process}" で state_gate.create_run を呼び (ほかは state_gate.list_processes)、続けて state_gate.get_state を呼んでください。`,
  },
});
