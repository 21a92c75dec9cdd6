import type { SomeTexts } from '../../texts.ts';

const list = (items: readonly string[]) => items.join(', ');

export const hook = {
  problems: {
    HOOK_INPUT: ({ client, reason }) =>
      ({
        no_json: `what ${client} sent to the hook is no JSON`,
        no_object: `what ${client} sent to the hook is no JSON object`,
        no_tool: `what ${client} sent to the hook names no tool`,
        no_event: `the hook was not told which event it is about`,
        unknown_client: `there is no client "${client}"`,
      })[reason],
  },
  refusals: {
    protected: ({ tool, path }) =>
      `${tool} may not touch ${path}: the files of Sekisho (.sekisho/) hold the process that agents are bound to, so only a person edits them, and its tokens and database are not for agents to read. ` +
      `To move the run on, submit evidence with state_gate.emit_event; to read the configuration or the processes, use one plain command such as cat, ls or grep and nothing else beside it.`,
  },
  phrases: {
    'hook.permitted_in': ({ tool, states }) =>
      states.length === 0 ? `No state of this process permits ${tool}.` : `${tool} is permitted in: ${list(states)}.`,
    'hook.failed': ({ reason, closed }) =>
      closed
        ? `Sekisho could not check this call, and while a run is open that means no: ${reason}. Tell a person; sekisho doctor helps to find the cause (hook.fail in .sekisho/config.yaml decides what happens then).`
        : `Sekisho could not check this call and let it pass: ${reason}`,
    'hook.state': (run) =>
      [
        `${run.restated ? 'The conversation was shortened; this still holds. ' : ''}This project is under the process ${run.process} ${run.version}. Run ${run.run_id} is in the state "${run.state}" (revision ${run.revision}).`,
        ...(run.prompt === null ? [] : ['', run.prompt.trim(), '']),
        ...(run.denied.length > 0 ? [`Denied tools: ${list(run.denied)}.`] : []),
        ...(run.ask.length > 0 ? [`Tools for which a person is asked: ${list(run.ask)}.`] : []),
        ...(run.allowed.length > 0 ? [`Allowed tools: ${list(run.allowed)}. All others are denied.`] : []),
        ...(run.missing.length > 0 ? [`Artifacts still missing: ${list(run.missing)}.`] : []),
        run.events.length > 0
          ? `Events that you may emit now: ${list(run.events)}. Submit evidence with state_gate.emit_event; state_gate.get_state shows what is missing.`
          : 'There is no event that you may emit now; a person has to act. state_gate.get_state shows the details.',
      ].join('\n'),
    'hook.not_done': ({ run_id, state, missing, events }) =>
      `Run ${run_id} is still in the state "${state}", and these artifacts are missing: ${list(missing)}. Make them and submit them with state_gate.emit_event${
        events.length > 0 ? ` (${list(events)})` : ''
      }, or say plainly why you cannot.`,
    'hook.usage': ({ clients, events }) =>
      `Usage: sekisho hook ${events.join('|')} [--client ${clients.join('|')}] [--run-id ID] [--project FOLDER] [--db PATH|URL]\n\nAnswers one hook of an agent CLI: its JSON on stdin, our answer in its own shape on stdout. sekisho init --client claude installs it.\n`,
    'hook.trust': ({ client }) =>
      ({
        claude: 'Claude Code asks once whether to trust this folder and its MCP server.',
        codex:
          'Codex runs hooks only after you trusted them: start codex here and confirm, or pass --dangerously-bypass-hook-trust in automation. Without it they are skipped silently.',
        gemini:
          'Gemini runs the hooks of a project only in a trusted folder. If they do not fire, put the same "hooks" into ~/.gemini/settings.json.',
        qwen: 'Qwen reads .qwen/settings.json of the project; trust the folder if it asks.',
        copilot:
          'Copilot runs hooks only in a trusted folder: confirm the question, or pass --trust-folder. Without it they are skipped silently.',
        cursor: 'Cursor reads .cursor/hooks.json when it is saved; Settings > Hooks shows whether they ran.',
      })[client] ?? '',
  },
} satisfies SomeTexts;
