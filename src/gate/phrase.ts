import { definePhrases } from '../kernel/text/text.ts';
import type { Reason } from './run/holder.ts';
import type { ArtifactFault, IgnoredBecause } from './problem.ts';
import { listEnglish } from '../kernel/text/list.ts';
import * as ja from './ja.ts';

export const english = {
  /** The gate's instructions for a client that connects. */
  introduction: ({ getState, emitEvent }: { getState: string; emitEvent: string }) =>
    `Sekisho is the checkpoint for this project. Begin with ${getState}: it says where the current run stands, what is missing and which events you may emit. Submit evidence with ${emitEvent}; the gate decides the transition. Tools that the current state does not permit are refused.`,
  bindsBy: ({ reason }: { reason: Reason }) =>
    ({
      task: 'the task at hand',
      client: 'this client started it, or was started under it',
      tree: 'the run of this worktree',
      checkout: 'the run of the main checkout',
      guest: 'no other run binds here; no person has reviewed its definition yet',
    })[reason],
  bindsAlone: ({ run_id }: { run_id: string }) => `${run_id} binds agents here.`,
  bindsBeside: ({ run_id, others }: { run_id: string; others: readonly string[] }) =>
    `${run_id} binds together with ${listEnglish(others)}: what one of them denies is denied. A person ends one that is no longer needed with: sekisho abort <run>`,
  bindsNot: ({ run_id, others }: { run_id: string; others: readonly string[] }) =>
    `${run_id} does not bind agents here: ${listEnglish(others)} does. A person changes that with: sekisho gate use ${run_id} (or ends the other with: sekisho abort ${others[0] ?? '<run>'})`,
  guardArtifactMissing: ({ type }: { type: string }) => `artifact '${type}' has not been submitted`,
  guardArtifactFew: ({ type, current, required }: { type: string; current: number; required: number }) =>
    `not enough artifacts of type '${type}' (current: ${current}, required: ${required})`,
  guardArtifactPoor: (file: { path: string; min: number | undefined; headings: readonly string[] }) =>
    `${file.path} does not count: ${[...(file.min === undefined ? [] : [`it has fewer than ${file.min} bytes`]), ...file.headings.map((one) => `no line "${one}"`)].join(', ')}`,
  guardContext: (why: { variable: string; condition: string; current: string; required: string }) =>
    `context.${why.variable} ${why.condition.replace('_', ' ')} does not hold (current: ${why.current}${why.required === '' ? '' : `, required: ${why.required}`})`,
  guardApproval: (why: { role: string; current: number; required: number; own: number; command: string }) =>
    `not enough approvals${why.role === '*' ? '' : ` by a ${why.role}`}${why.own > 0 ? ', and no one can approve their own evidence' : ''}${why.command === '' ? '' : `; a person approves with ${why.command}`} (current: ${why.current}, required: ${why.required})`,
  guardFileMissing: ({ paths }: { paths: string }) => `file not found, or empty: ${paths}`,
  guardFileChanged: ({ path }: { path: string }) => `${path} differs from the submitted evidence; submit it again`,
  guardSchema: ({ path, errors }: { path: string; errors: string }) => `${path} does not match its schema: ${errors}`,
  guardExpression: ({ expression, outcome }: { expression: string; outcome: string }) =>
    `${expression} (current: ${outcome}, required: true)`,
  treeUnrecorded: () => 'it was not recorded when the state began',
  startUnrecorded: () => 'the tree was not recorded when the run began',
  expressionTooLong: ({ steps, most }: { steps: number; most: number }) =>
    `it could take ${steps} steps; the limit is ${most}`,
  guardAny: ({ reasons }: { reasons: string }) => `none of these is satisfied: ${reasons}`,
  guardNot: ({ guard }: { guard: string }) => `${guard} is satisfied, but must not be`,
  guardCommandUntrusted: ({ command }: { command: string }) =>
    `"${command}" may not run: a person has to trust this definition first (sekisho trust)`,
  neverTrusted: ({ file }: { file: string }) =>
    `${file} is not trusted: its command guards do not run until a person trusts it (sekisho trust)`,
  lastTrusted: ({ file }: { file: string }) =>
    `${file} has changed since a person trusted it: the trusted version stays in effect until a person trusts the change (sekisho trust)`,
  guardCommandPending: ({ command }: { command: string }) => `"${command}" runs when the event is emitted`,
  guardCommandUnset: () =>
    'no test command is configured: set it with sekisho init --test-command "npm test", or as test: [npm, test] in .sekisho/config.yaml',
  guardCommandWaiting: ({ guards }: { guards: string }) => `not run yet, because these are still open: ${guards}`,
  guardCommandFailed: ({ command, outcome, output }: { command: string; outcome: string; output: string }) =>
    `"${command}" failed: ${outcome}${output === '' ? '' : `\n${output}`}`,
  guardCommandSandbox: ({ command, reason }: { command: string; reason: string }) =>
    `${command} must run in a sandbox, and there is none: ${reason}`,
  guardInSandbox: ({ outcome, sandbox }: { outcome: string; sandbox: string }) =>
    `${outcome}, in the sandbox (${sandbox})`,
  guardCommandTimeout: ({ ms }: { ms: number }) => `no answer within ${ms} ms`,
  guardCommandExit: ({ current, required }: { current: number; required: number }) =>
    `exit code (current: ${current}, required: ${required})`,
  guardElsewhere: () =>
    'it is decided where the files are, on another machine or in another clone: within seconds where a daemon or Runner serves them, else at the next event there',
  guardUnplaced: () => 'no agent has taken the task yet: it is decided in the folder of the agent that takes it',
  guardNoDifference: ({ fault }: { fault: string }) => `what changed since the run began cannot be shown: ${fault}`,
  guardWorktreePending: () => 'the work tree is compared when the event is emitted',
  guardWorktreeUnread: ({ fault }: { fault: string }) =>
    `the work tree cannot be compared: ${fault}. A person can accept it as it is: sekisho admin accept-changes`,
  guardWorktreeChanged: ({ paths, more }: { paths: readonly string[]; more: number }) =>
    `changed since the state was entered: ${paths.join(', ')}${more > 0 ? ` and ${more} more` : ''}. Revert the changes, or ask a person to accept them: sekisho admin accept-changes`,
  guardWorktreeUntouched: ({ globs }: { globs: string }) =>
    `no file that matches ${globs} has changed since the state was entered`,
  guardWatched: ({ client }: { client: string }) =>
    `no hook${client === '' ? '' : ` of ${client}`} has asked in this state: the gate may be off. sekisho doctor tells why`,
  inside: ({ sandbox }: { sandbox: string }) => `this session is in the sandbox (${sandbox})`,
  storeWithinReach: ({ sandbox }: { sandbox: string }) =>
    `this session is in the sandbox (${sandbox}), but the store is within its reach. A person finds out why with: sekisho status --rings`,
  outside: ({ client }: { client: string }) =>
    `this session was not started in a sandbox; a person starts one with: sekisho run ${client}`,
  unwatched: ({ client, state }: { client: string; state: string }) =>
    `Hooks of ${client} are installed, but none has asked in the state "${state}": its own tools are not restricted. A person finds out why with: sekisho doctor`,
  guardDescription: ({ guard, type }: { guard: string; type: string }) => `${type} guard ${guard}`,
  eventWrongState: ({ states }: { states: readonly string[] }) =>
    states.length === 0
      ? 'No state has a transition for it'
      : `Not possible in the current state (only in ${listEnglish(states)})`,
  runAborted: ({ by, reason }: { by: string; reason: string }) => `The run was aborted by ${by}: "${reason}"`,
  eventWrongRole: ({ role }: { role: string }) => `The role "${role}" may not emit it`,
  artifactFault: ({ path, fault, limit = 0 }: { path: string; fault: ArtifactFault; limit?: number }) =>
    ({
      outside: `${path} is outside of the project`,
      missing: `${path} does not exist`,
      not_a_file: `${path} is not a regular file`,
      unreadable: `${path} cannot be read`,
      empty: `${path} is empty, and an empty file cannot be evidence`,
      too_large: `${path} has more than ${limit} bytes (gate.maxArtifactBytes)`,
      hard_linked: `${path} has several hard links, and the others may be outside of the project. Copy the file and submit the copy`,
      ours: `${path} belongs to Sekisho itself and cannot be evidence`,
      elsewhere: `${path} cannot be looked at from here: the run’s files are on another machine or in another clone`,
    })[fault],
  payloadTooLarge: ({ bytes, limit }: { bytes: number; limit: number }) =>
    `the payload has ${bytes} bytes, at most ${limit} are accepted; submit a file as artifact instead`,
  keyIgnored: ({ key, because }: { key: string; because: IgnoredBecause }) =>
    `the key "${key}" of the payload was not merged into the context: ${
      {
        event_takes_none: 'this event takes none (context: false)',
        event_takes_others: 'this event takes other keys only (context)',
        undeclared: 'a guard reads it, and this event does not declare it',
        not_moved: 'no transition happened',
      }[because]
    }`,
  inputNotListed: ({ key }: { key: string }) =>
    `a guard reads "${key}", and the process does not list it under inputs: only a person may set it`,
  payloadTooDeep: ({ limit }: { limit: number }) => `it is nested more than ${limit} levels deep`,
  payloadKeyReused: ({ key }: { key: string }) => `the key "${key}" was used for another request; use a new one`,
  conflictNext: () => 'Read the run again with get_state, then retry with its revision and a new idempotency_key.',
  /** An event moved the run while a person was being asked. */
  movedMeanwhile: ({ run_id, state }: { run_id: string; state: string }) =>
    `The run has moved since you were asked and is now in the state "${state}". Look at it again: sekisho approve ${run_id}`,
  waitsForPerson: ({ commands }: { commands: readonly string[] }) =>
    `A person has to approve. Ask them to run: ${commands.join(' or ')}`,
  /** For agents only, after the sentence above. */
  waitForPerson: ({ revision }: { revision: number }) =>
    `Then wait: call state_gate.get_state with wait_ms: 50000, since_revision: ${revision}, and repeat the call until the revision grows.`,
  noticeWaiting: ({ process, state }: { process: string; state: string }) =>
    `A run of ${process} waits for a person in the state "${state}".`,
  guardNext: () =>
    'Provide what missing_guards names (files as artifact_paths), then emit again with a new idempotency_key.',
  shownState: ({ state, revision }: { state: string; revision: number }) => `state ${state}, revision ${revision}`,
  shownContext: ({ context }: { context: string }) => `context ${context}`,
  shownApproved: ({ people }: { people: string }) => `approved so far by ${people}`,
  shownMissing: () => 'still missing apart from this answer:',
  shownNothing: () => 'no files were submitted',
  shownElsewhere: () =>
    'the run’s files are on another machine or in another clone: this is the stored content, and the answer is for exactly that',
  shownUnplaced: () =>
    'no agent has taken the task yet: the run gets its files from the folder in which somebody answers or works first',
  shownTreeSame: () => 'the work tree has not changed since the state was entered',
  shownTree: ({ count }: { count: number }) => `changed in the work tree since the state was entered (${count}):`,
  shownFile: (file: { type: string; path: string; version: number; size: number; digest: string; actor: string }) =>
    `${file.path}  (${file.type}, version ${file.version}, ${file.size} bytes, sha256 ${file.digest.slice(0, 16)}…, by ${file.actor})`,
  shownBinary: () => 'binary: not shown',
  shownNotKept: () => 'its content was not kept: it was too large (gate.keepBytes), or a person has removed it',
  shownTooLarge: () => 'too large to be compared',
  shownMore: ({ lines }: { lines: number }) => `… and ${lines} more lines`,
  shownDifference: ({ version }: { version: number }) => `  the difference to version ${version}:`,
  shownChanged: ({ path }: { path: string }) =>
    `  ${path} has changed since it was submitted. The answer is for the submitted content, not for this:`,
  shownGone: ({ path }: { path: string }) => `  ${path} no longer exists. The answer is for the submitted content.`,
  whyAbort: () => 'Why do you want to abort it? It cannot be reopened. (Enter: do not abort)',
  nothingWaits: () => 'Nothing waits for you.',
  nameOne: ({ command }: { command: string }) => `Name one: sekisho ${command} run-…`,
};

export const phrase = definePhrases(english, ja.phrase);
