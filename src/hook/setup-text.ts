import { definePhrases } from '../kernel/text.ts';

const listed = (items: readonly string[]) => items.join(', ');

/** What people and their clients read when a project is set up. A hook needs none of it. */
export const setupPhrase = definePhrases({
  /** What stands in the file that a client reads at every start. */
  instructions: {
    en: () =>
      [
        '## Sekisho',
        '',
        'Work in this project follows a process that Sekisho checks (MCP server `sekisho`).',
        '',
        '- Before anything else call `state_gate.get_state`. It says which state you are in, which tools are permitted there and what is missing.',
        '- Move on with `state_gate.emit_event`, which takes your evidence; the gate decides.',
        '- If no run is open and you are given a piece of work ("Start a Sekisho run: …"), call `state_gate.create_run` with `process_id: "explore-plan-implement-verify"`; `state_gate.list_processes` shows the others.',
        '- A tool that is refused says why. Do not look for a way round it: do what the state asks for.',
      ].join('\n'),
    ja: () =>
      [
        '## Sekisho',
        '',
        'このプロジェクトの作業は、Sekisho が確認するプロセスに従います (MCP サーバー `sekisho`)。',
        '',
        '- 最初に `state_gate.get_state` を呼んでください。現在の状態、許可されているツール、不足しているものがわかります。',
        '- 先へ進むには `state_gate.emit_event` で証拠を提出します。判定はゲートが行います。',
        '- 進行中の run がなく作業を頼まれたら (「Sekisho の run を始めて: …」)、`process_id: "explore-plan-implement-verify"` で `state_gate.create_run` を呼んでください。ほかのプロセスは `state_gate.list_processes` でわかります。',
        '- ツールが拒否されたら理由が示されます。迂回せず、その状態が求めることをしてください。',
      ].join('\n'),
  },
  /** What a person does after `init`. */
  next: {
    en: ({ clients }: { clients: readonly string[] }) =>
      clients.length === 0
        ? 'Next: sekisho init --client claude   (or codex, gemini, qwen, copilot, cursor, opencode)'
        : `Next: start ${listed(clients)} here and say: Start a Sekisho run: <what is to be done>\nThen: sekisho status   shows whether the gate is on`,
    ja: ({ clients }) =>
      clients.length === 0
        ? '次に: sekisho init --client claude   (または codex, gemini, qwen, copilot, cursor, opencode)'
        : `次に: ここで ${listed(clients)} を起動し、「Sekisho の run を始めて: <やること>」と伝えてください\nその後: sekisho status   ゲートが働いているか確認できます`,
  },
});
