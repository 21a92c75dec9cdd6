import type { SomeTexts } from '../../texts.ts';

const list = (items: readonly string[]) => items.join(', ') || 'none';

export const gate = {
  problems: {
    RUN_NOT_FOUND: ({ run_id }) =>
      run_id === undefined
        ? 'No run is current in this project. Start one with state_gate.create_run, or name it with run_id.'
        : `There is no run "${run_id}". state_gate.list_runs shows the runs of this project.`,
    PROCESS_NOT_FOUND: ({ process_id, known, broken }) =>
      `There is no process "${process_id}". Known: ${list(known)}.${broken.length > 0 ? ` Broken files: ${list(broken)}; sekisho gate lint tells why.` : ''}`,
    PROCESS_INVALID: ({ process_id, findings }) =>
      `The definition of "${process_id}" has ${findings.length} error(s): ${findings
        .slice(0, 3)
        .map((one) => `${one.file}:${one.line}:${one.column} ${one.message}`)
        .join(' ')} Run sekisho gate lint for all of them.`,
    INVALID_EVENT: ({ event, state, legal_in, possible }) =>
      state === undefined
        ? `The process has no event "${event}". Possible now: ${list(possible)}.`
        : `"${event}" cannot be emitted in the state "${state}"${legal_in.length > 0 ? ` (only in ${list(legal_in)})` : ''}. Possible now: ${list(possible)}.`,
    INVALID_PAYLOAD: ({ errors }) =>
      `The request is not valid. ${errors.map((one) => `${one.path}: ${one.message}`).join('; ')}`,
    REVISION_CONFLICT: ({ expected, current }) => `Expected revision ${expected}, but current is ${current}`,
    GUARD_FAILED: () => 'Guard conditions not satisfied',
  },
  refusals: {
    event: (why) =>
      ({
        event: `The role "${why.role}" may not emit "${why.event}". Ask someone whose role the event admits.`,
        role: `The process does not let the role "${why.role}" emit "${why.event}".`,
        approve: `The role "${why.role}" cannot approve (can_approve). Ask a reviewer: sekisho admin approve.`,
        reject: `The role "${why.role}" cannot reject (can_reject). Ask a reviewer: sekisho admin reject.`,
        transition: `In this state no transition of "${why.event}" admits the role "${why.role}".`,
      })[why.by],
    tool: (why) =>
      `${why.ask ? 'A person has to be asked before' : 'The process does not permit'} ${why.tool} in the state "${why.state}" of ${why.process} (${why.run_id}). ${
        why.opens.length > 0 ? `To move on, emit: ${list(why.opens)}. ` : ''
      }See state_gate.get_state for what is missing.`,
    person: (why) => `Only a person may ${why.what}.`,
  },
  phrases: {
    'guard.artifact.missing': ({ type }) => `artifact '${type}' has not been submitted (current: 0, required: 1)`,
    'guard.artifact.few': ({ type, current, required }) =>
      `not enough artifacts of type '${type}' (current: ${current}, required: ${required})`,
    'guard.context': ({ variable, condition, current, required }) =>
      `context.${variable} ${condition.replace('_', ' ')} does not hold (current: ${current}${required === '' ? '' : `, required: ${required}`})`,
    'guard.approval': ({ role, current, required, own }) =>
      `not enough approvals${role === '*' ? '' : ` by a ${role}`}${own > 0 ? ', and nobody approves evidence of their own' : ''} (current: ${current}, required: ${required})`,
    'guard.file.missing': ({ paths }) => `file not found: ${paths}`,
    'guard.file.changed': ({ path }) => `${path} differs from the submitted evidence; submit it again`,
    'guard.schema': ({ path, errors }) => `${path} does not fit its schema: ${errors}`,
    'guard.expression': ({ expression, outcome }) => `${expression} (current: ${outcome}, required: true)`,
    'guard.any': ({ reasons }) => `none of these holds: ${reasons}`,
    'guard.not': ({ guard }) => `${guard} holds, but must not`,
    'guard.command.untrusted': ({ command }) =>
      `"${command}" may not run: a person has to trust this definition first (sekisho trust)`,
    'guard.command.pending': ({ command }) => `"${command}" runs when the event is emitted`,
    'guard.command.waiting': ({ guards }) => `not run yet, because these are still open: ${guards}`,
    'guard.command.failed': ({ command, outcome, output }) =>
      `"${command}" failed: ${outcome}${output === '' ? '' : `\n${output}`}`,
    'guard.command.timeout': ({ ms }) => `no answer within ${ms} ms`,
    'guard.command.exit': ({ current, required }) => `exit code (current: ${current}, required: ${required})`,
    'guard.description': ({ guard, type }) => `${type} guard ${guard}`,
    'event.wrong_state': ({ states }) =>
      states.length === 0
        ? 'No state has a transition for it'
        : `Not possible in the current state (only in ${list(states)})`,
    'event.wrong_role': ({ role }) => `The role "${role}" may not emit it`,
    'artifact.fault': ({ path, fault }) =>
      ({
        outside: `${path} is outside of the project`,
        missing: `${path} does not exist`,
        not_a_file: `${path} is not a regular file`,
        unreadable: `${path} cannot be read`,
      })[fault],
    'payload.too_large': ({ bytes, limit }) =>
      `the payload has ${bytes} bytes, at most ${limit} are accepted; submit a file as artifact instead`,
    'payload.key_reused': ({ key }) => `the key "${key}" was used for another request; use a new one`,
    'conflict.next': () => 'Read the run again with get_state, then retry with its revision and a new idempotency_key.',
    'guard.next': () =>
      'Provide what missing_guards names (files as artifact_paths), then emit again with a new idempotency_key.',
  },
} satisfies SomeTexts;
