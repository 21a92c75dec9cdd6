import { defineProblems, defineRefusals } from '../kernel/problem.ts';
import { maxDepth } from '../kernel/json-limits.ts';
import { definePhrases } from '../kernel/text/text.ts';
import { endSentence, listEnglish } from '../kernel/text/list.ts';
import * as ja from './ja.ts';

export type HookFault = 'no_json' | 'too_deep' | 'no_object' | 'no_tool' | 'no_event' | 'unknown_client';

export const englishProblem = {
  HOOK_INPUT: ({ client, reason }: { client: string; reason: HookFault }) =>
    ({
      no_json: `the hook input from ${client} is not JSON`,
      too_deep: `the hook input from ${client} is nested deeper than ${maxDepth} levels`,
      no_object: `the hook input from ${client} is not a JSON object`,
      no_tool: `the hook input from ${client} names no tool`,
      no_event: `the hook was not told which event it is about`,
      unknown_client: `there is no client "${client}"`,
    })[reason],
  /** In a sandbox, only the daemon outside can answer. */
  HOOK_DAEMON_GONE: ({ reason }: { reason: string }) =>
    `Sekisho's daemon cannot be reached (${reason}); nothing is allowed until it runs again.`,
};

export const problem = defineProblems(englishProblem, ja.problem);

export const englishRefusal = {
  /** Agents must not change the files that hold them to the process. */
  protected: ({ tool, path, kind }: { tool: string; path: string; kind: 'ours' | 'client' }) =>
    (kind === 'ours'
      ? `${tool} may not write ${path}: Sekisho's files define the process that agents must follow, so only a person can edit them. `
      : `${tool} may not write ${path}: that file decides which hooks and servers your client starts, so only a person can edit it. `) +
    'Tell the person what to change. To move the run on, submit evidence with state_gate.emit_event.',
};

export const refusal = defineRefusals(englishRefusal, ja.refusal);

export const englishPhrase = {
  permittedIn: ({ tool, states }: { tool: string; states: readonly string[] }) =>
    states.length === 0
      ? `No state of this process permits ${tool}.`
      : `${tool} is permitted in: ${listEnglish(states)}.`,
  /** The hook itself failed; `closed` says whether the call was denied because of that. */
  failed: ({ reason, closed }: { reason: string; closed: boolean }) =>
    closed
      ? `Sekisho could not check this call, so it is denied: ${endSentence(reason, '.')} Tell a person; sekisho doctor helps to find the cause (hook.fail in .sekisho/config.yaml decides what happens then).`
      : `Sekisho could not check this call and let it pass: ${reason}`,
  bindsToo: ({ run_id, process, state }: { run_id: string; process: string; state: string }) =>
    `Run ${run_id} (${process}, state "${state}") binds you too: what one of them denies is denied.`,
  state: (run: {
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
    asks: readonly string[];
    /** The client shortened the conversation, so earlier instructions may be gone. */
    restated: boolean;
  }) =>
    [
      `${run.restated ? 'The conversation was shortened; this still applies. ' : ''}This project follows the process ${run.process} ${run.version}. Run ${run.run_id} is in the state "${run.state}" (revision ${run.revision}).`,
      ...(run.prompt === null ? [] : ['', run.prompt.trim(), '']),
      ...(run.denied.length > 0 ? [`Denied tools: ${listEnglish(run.denied)}.`] : []),
      ...(run.ask.length > 0 ? [`Tools for which a person is asked: ${listEnglish(run.ask)}.`] : []),
      ...(run.allowed.length > 0 ? [`Allowed tools: ${listEnglish(run.allowed)}. All others are denied.`] : []),
      ...(run.missing.length > 0 ? [`Artifacts still missing: ${listEnglish(run.missing)}.`] : []),
      ...(run.asks.length > 0
        ? [
            `A way out of this state needs a person's approval. Ask them to run: ${run.asks.join(' or ')}`,
            `If nothing else is left to do, wait for it: call state_gate.get_state with wait_ms: 50000, since_revision: ${run.revision}, and repeat the call until the revision grows.`,
          ]
        : []),
      run.events.length > 0
        ? `Events that you may emit now: ${listEnglish(run.events)}. Submit evidence with state_gate.emit_event; state_gate.get_state shows what is missing.`
        : 'There is no event that you may emit now; a person has to act. state_gate.get_state shows the details.',
    ].join('\n'),
  notDone: (run: { run_id: string; state: string; missing: readonly string[]; events: readonly string[] }) =>
    `Run ${run.run_id} is still in the state "${run.state}", and these artifacts are missing: ${listEnglish(run.missing)}. Make them and submit them with state_gate.emit_event${
      run.events.length > 0 ? ` (${listEnglish(run.events)})` : ''
    }, or say plainly why you cannot.`,
  usage: ({ clients, events }: { clients: readonly string[]; events: readonly string[] }) =>
    `Usage: sekisho hook ${events.join('|')} [--client ${clients.join('|')}] [--run-id ID] [--project FOLDER] [--db PATH|URL]\n\nAnswers one hook of an agent CLI: its JSON on stdin, our answer in its own shape on stdout. sekisho init --client claude installs it.`,
  noRun: ({ process }: { process: string }) =>
    `This project is under Sekisho, and no run is open. For a piece of work ("Start a Sekisho run: …") call state_gate.create_run with process_id "${process}" (state_gate.list_processes shows the others), then state_gate.get_state.`,
};

export const phrase = definePhrases(englishPhrase, ja.phrase);
