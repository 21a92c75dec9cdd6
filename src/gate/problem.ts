import { type FieldError, defineProblems, defineRefusals } from '../kernel/problem.ts';
import type { Finding } from './definition/finding.ts';
import type { RunAbort } from './run/status.ts';
import type { Change } from './worktree/manifest.ts';
import { listEnglish } from '../kernel/text/list.ts';
import * as ja from './ja.ts';

export type ArtifactFault =
  | 'outside'
  | 'missing'
  | 'not_a_file'
  | 'unreadable'
  | 'empty'
  | 'too_large'
  | 'hard_linked'
  | 'ours'
  | 'elsewhere';

export type IgnoredBecause = 'event_takes_none' | 'event_takes_others' | 'undeclared' | 'not_moved';

/** The rule that keeps a role from emitting an event. */
export type RoleFault = 'event' | 'role' | 'approve' | 'reject' | 'posing';

export const englishProblem = {
  /** Without `run_id`: the project has no current run. */
  RUN_NOT_FOUND: ({ run_id }: { run_id: string | undefined }) =>
    run_id === undefined
      ? 'This project has no current run. Start one with state_gate.create_run, or name it with run_id.'
      : `There is no run "${run_id}". state_gate.list_runs shows the runs of this project.`,
  PROCESS_NOT_FOUND: (why: { process_id: string; known: readonly string[]; broken: readonly string[] }) =>
    `There is no process "${why.process_id}". Known: ${listEnglish(why.known)}.${why.broken.length > 0 ? ` Broken files: ${listEnglish(why.broken)}; sekisho gate lint tells why.` : ''}`,
  PROCESS_INVALID: ({ process_id, findings }: { process_id: string; findings: readonly Finding[] }) =>
    `The definition of "${process_id}" has ${findings.length} error(s): ${findings
      .slice(0, 3)
      .map((one) => `${one.file}:${one.line}:${one.column} ${one.message('en')}`)
      .join(' ')} Run sekisho gate lint for all of them.`,
  INVALID_EVENT: (why: {
    event: string;
    state: string | undefined;
    legal_in: readonly string[];
    possible: readonly string[];
    aborted?: Pick<RunAbort, 'by' | 'reason'>;
  }) =>
    typeof why.aborted === 'object'
      ? `The run was aborted by ${why.aborted.by}: "${why.aborted.reason}". It takes no more events. To go on, start a new run with state_gate.create_run.`
      : why.state === undefined
        ? `The process has no event "${why.event}". Possible now: ${listEnglish(why.possible)}.`
        : `"${why.event}" cannot be emitted in the state "${why.state}"${why.legal_in.length > 0 ? ` (only in ${listEnglish(why.legal_in)})` : ''}. Possible now: ${listEnglish(why.possible)}.`,
  RUN_COMPLETED: ({ run_id, state }: { run_id: string; state: string }) =>
    `${run_id} is completed: it ended in the state "${state}". Only an open run can be aborted.`,
  INVALID_PAYLOAD: ({ errors }: { errors: readonly FieldError[] }) =>
    `The request is not valid. ${errors.map((one) => `${one.path}: ${one.message}`).join('; ')}`,
  REVISION_CONFLICT: ({ expected, current }: { expected: number; current: number }) =>
    `Expected revision ${expected}, but current is ${current}`,
  TREE_UNREADABLE: ({ fault }: { fault: string }) => `The work tree cannot be read: ${fault}.`,
  EVIDENCE_NOT_FOUND: ({ path, run_id }: { path: string; run_id: string }) =>
    `No file ${path} (in that version) was submitted to ${run_id}. describe_run lists the submitted files.`,
  EVIDENCE_NOT_KEPT: ({ digest }: { digest: string }) =>
    `No content is kept for ${digest}: it was too large (gate.keepBytes), was removed, or was never submitted.`,
  TREE_CHANGED: () => 'The work tree or the run has changed since you looked. Look again, then accept.',
  EVIDENCE_CHANGED: ({ run_id, changes }: { run_id: string; changes: readonly Change[] }) =>
    `The evidence of ${run_id} is not what you were shown: ${changes.map(({ path, how }) => `${path} was ${how}`).join(', ')}. Nothing was recorded. Look at it again: sekisho approve ${run_id}`,
  NOTHING_TO_APPROVE: ({ run_id, state, given }: { run_id: string; state: string; given: boolean }) =>
    given
      ? `You have already approved the current evidence of ${run_id}. It waits for someone else.`
      : `Nothing waits for an approval in the state "${state}" of ${run_id}. sekisho approve lists what does.`,
  GUARD_FAILED: (_params: { missing: readonly string[]; waits: string | null }) => 'Guard conditions not satisfied',
};

export const problem = defineProblems(englishProblem, ja.problem);

export const englishRefusal = {
  /** The event, the role, or every transition of this state excludes the actor's role. */
  event: (why: { role: string; event: string; by: RoleFault | 'transition' | 'unplaced' }) =>
    ({
      event: `The role "${why.role}" may not emit "${why.event}". Ask someone whose role the event admits.`,
      role: `The process does not let the role "${why.role}" emit "${why.event}".`,
      approve: `The role "${why.role}" cannot approve (can_approve). Ask a reviewer: sekisho approve.`,
      reject: `The role "${why.role}" cannot reject (can_reject). Ask a reviewer: sekisho reject.`,
      posing: `In this process only people can have the role "${why.role}", and this connection is an agent's.`,
      unplaced: `No agent has taken the task of this run yet, so the run has no files. The agent that takes the task with get_my_task can emit "${why.event}".`,
      transition: `In this state no transition of "${why.event}" admits the role "${why.role}".`,
    })[why.by],
  tool: (why: {
    tool: string;
    state: string;
    process: string;
    run_id: string;
    ask: boolean;
    opens: readonly string[];
  }) =>
    `${why.ask ? 'A person has to be asked before' : 'The process does not permit'} ${why.tool} in the state "${why.state}" of ${why.process} (${why.run_id}). ${
      why.opens.length > 0 ? `To move on, emit: ${listEnglish(why.opens)}. ` : ''
    }See state_gate.get_state for what is missing.`,
};

export const refusal = defineRefusals(englishRefusal, ja.refusal);
