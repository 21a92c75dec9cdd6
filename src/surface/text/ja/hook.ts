import type { SomeTexts } from '../../texts.ts';

const list = (items: readonly string[]) => items.join(', ');

export const hook = {
  problems: {
    HOOK_INPUT: ({ client, reason }) =>
      ({
        no_json: `${client} からフックに渡された内容が JSON ではありません`,
        no_object: `${client} からフックに渡された内容が JSON オブジェクトではありません`,
        no_tool: `${client} からフックに渡された内容にツール名がありません`,
        no_event: `どのイベントのフックか指定されていません`,
        unknown_client: `クライアント「${client}」はありません`,
      })[reason],
  },
  refusals: {
    protected: ({ tool, path }) =>
      `${tool} で ${path} は扱えません。Sekisho のファイル (.sekisho/) にはエージェントが従うプロセスがあり、編集できるのは人だけです。トークンとデータベースは読むこともできません。` +
      `先へ進むには state_gate.emit_event で証拠を提出してください。設定やプロセスを読むだけなら cat, ls, grep などの単独のコマンドを使ってください。`,
  },
  phrases: {
    'hook.permitted_in': ({ tool, states }) =>
      states.length === 0
        ? `このプロセスでは、どの状態でも ${tool} は許可されていません。`
        : `${tool} が許可される状態: ${list(states)}。`,
    'hook.failed': ({ reason, closed }) =>
      closed
        ? `Sekisho はこの呼び出しを確認できませんでした。run が進行中のため許可しません: ${reason}。人に知らせてください。原因は sekisho doctor で調べられます (動作は .sekisho/config.yaml の hook.fail で決まります)。`
        : `Sekisho はこの呼び出しを確認できず、そのまま通しました: ${reason}`,
    'hook.state': (run) =>
      [
        `${run.restated ? '会話は要約されましたが、次の内容は引き続き有効です。' : ''}このプロジェクトはプロセス ${run.process} ${run.version} に従います。run ${run.run_id} は状態「${run.state}」です (revision ${run.revision})。`,
        ...(run.prompt === null ? [] : ['', run.prompt.trim(), '']),
        ...(run.denied.length > 0 ? [`禁止されているツール: ${list(run.denied)}。`] : []),
        ...(run.ask.length > 0 ? [`人の確認が必要なツール: ${list(run.ask)}。`] : []),
        ...(run.allowed.length > 0 ? [`許可されているツール: ${list(run.allowed)}。それ以外は禁止です。`] : []),
        ...(run.missing.length > 0 ? [`不足している成果物: ${list(run.missing)}。`] : []),
        run.events.length > 0
          ? `現在発行できるイベント: ${list(run.events)}。証拠は state_gate.emit_event で提出し、不足は state_gate.get_state で確認してください。`
          : '現在発行できるイベントはありません。人の操作が必要です。詳細は state_gate.get_state で確認できます。',
      ].join('\n'),
    'hook.not_done': ({ run_id, state, missing, events }) =>
      `run ${run_id} はまだ状態「${state}」で、次の成果物が不足しています: ${list(missing)}。作成して state_gate.emit_event${
        events.length > 0 ? ` (${list(events)})` : ''
      } で提出するか、できない理由をはっきり述べてください。`,
    'hook.usage': ({ clients, events }) =>
      `使い方: sekisho hook ${events.join('|')} [--client ${clients.join('|')}] [--run-id ID] [--project FOLDER] [--db PATH|URL]\n\nエージェント CLI のフックに 1 回答えます。標準入力にその JSON を受け取り、その CLI の形式で標準出力に答えます。設定は sekisho init --client claude で行えます。\n`,
    'hook.trust': ({ client }) =>
      ({
        claude: 'Claude Code は、このフォルダーと MCP サーバーを信頼するか一度だけ確認します。',
        codex:
          'Codex は信頼されたフックだけを実行します。ここで codex を起動して確認するか、自動化では --dangerously-bypass-hook-trust を付けてください。付けないと黙って無視されます。',
        gemini:
          'Gemini はプロジェクトのフックを信頼されたフォルダーでのみ実行します。動かない場合は同じ "hooks" を ~/.gemini/settings.json に書いてください。',
        qwen: 'Qwen はプロジェクトの .qwen/settings.json を読みます。確認されたらフォルダーを信頼してください。',
        copilot:
          'Copilot は信頼されたフォルダーでのみフックを実行します。確認に答えるか --trust-folder を付けてください。付けないと黙って無視されます。',
        cursor: 'Cursor は .cursor/hooks.json を保存時に読みます。実行されたかは Settings > Hooks で確認できます。',
      })[client] ?? '',
  },
} satisfies SomeTexts;
