import { defineProblems, defineRefusals } from '../kernel/problem.ts';
import { definePhrases } from '../kernel/text/text.ts';
import type { Status } from './task/task.ts';
import { listEnglish } from '../kernel/text/list.ts';
import * as ja from './ja.ts';

export const englishProblem = {
  INVALID_CREDENTIALS: () => 'Invalid agent_id or passkey',
  ALREADY_RUNNING: () => 'Agent instance already running for this project',
  INVALID_SESSION: () => 'Invalid or expired session_token',
  INVALID_SESSION_OR_TASK: () => 'Invalid session_token or task_id',
  INVALID_EXECUTION_OR_SESSION: () => 'Invalid execution_id or session_token',
  PROJECT_NOT_FOUND: ({ project_id }: { project_id: string }) =>
    `There is no project "${project_id}". list_projects shows them.`,
  TASK_NOT_FOUND: ({ task_id }: { task_id: string }) => `There is no task "${task_id}". list_tasks shows them.`,
  /** Several projects have a task with this number. */
  TASK_AMBIGUOUS: ({ given, spellings }: { given: string; spellings: readonly string[] }) =>
    `"${given}" means a task in several projects. Write one of these: ${spellings.join(', ')}.`,
  HANDOFF_NOT_FOUND: ({ handoff_id }: { handoff_id: string }) =>
    `There is no hand-off "${handoff_id}". get_pending_handoffs shows the open ones.`,
  EXECUTION_NOT_FOUND: ({ execution_id }: { execution_id: string }) =>
    `There is no execution "${execution_id}". list_execution_logs shows them.`,
  EXECUTION_LOG_AWAY: ({ path }: { path: string | null }) =>
    path === null
      ? 'The execution has no log file.'
      : `The log "${path}" is not a file of this project on this machine. Read it on the machine where the execution ran.`,
  ID_TAKEN: ({ id }: { id: string }) => `"${id}" is taken. Choose another id, or omit it.`,
  FOLDER_TAKEN: ({ folder, database }: { folder: string; database: string }) =>
    `The folder ${folder} belongs to another store (${database}). Choose another working_directory, or run the command in that folder to create the project there.`,
  NOT_ASSIGNED: ({ agent_id, project_id }: { agent_id: string; project_id: string }) =>
    `The agent "${agent_id}" is not assigned to the project "${project_id}". assign_agent does that.`,
  INVALID_TRANSITION: ({
    task_id,
    from,
    to,
    possible,
  }: {
    task_id: string;
    from: Status;
    to: Status;
    possible: readonly Status[];
  }) => `Task "${task_id}" is ${from} and cannot become ${to}. From here: ${listEnglish(possible)}.`,
  DEPENDENCIES_OPEN: ({ task_id, open }: { task_id: string; open: readonly string[] }) =>
    `Task "${task_id}" cannot start before these are done: ${listEnglish(open)}.`,
  DEPENDENCY_CYCLE: ({ task_id, other }: { task_id: string; other: string }) =>
    `Task "${task_id}" cannot come after "${other}", which comes after it.`,
  /** Every retry ran into another change of the dependencies. */
  PLAN_BUSY: () => 'Other callers keep changing these tasks. Read them again, then try again.',
  TASK_NEEDED: ({ task_id, needed }: { task_id: string; needed: readonly string[] }) =>
    `Other tasks depend on task "${task_id}": ${listEnglish(needed)}. Change them first, or delete it with force.`,
  /** A live session of another agent works on the task. */
  TASK_CLAIMED: ({ task_id, agent_id }: { task_id: string; agent_id: string }) =>
    `The agent "${agent_id}" is working on task "${task_id}". Wait until its session ends, or ask it for a hand-off.`,
  /** The task was handed to another agent, or was never assigned to this one. */
  TASK_NOT_YOURS: ({
    task_id,
    agent_id,
    assignee_id,
  }: {
    task_id: string;
    agent_id: string;
    assignee_id: string | null;
  }) =>
    assignee_id === null
      ? `Task "${task_id}" is not assigned to "${agent_id}". Accept its hand-off first, or call logout.`
      : `Task "${task_id}" is assigned to "${assignee_id}", not to "${agent_id}": only the assignee can report it. Accept a hand-off first, or call logout.`,
  TASK_STARTED: ({ task_id }: { task_id: string }) =>
    `Task "${task_id}" has started; its process can no longer be changed.`,
  TASK_CLOSED: ({ task_id, status }: { task_id: string; status: string }) =>
    `Task "${task_id}" is ${status}; there is nothing to hand over.`,
  TASK_CONFLICT: ({ task_id, expected, current }: { task_id: string; expected: number | undefined; current: number }) =>
    expected === undefined
      ? `Other callers keep changing task "${task_id}" (revision ${current}). Read it with get_task, then try again.`
      : `Task "${task_id}" is at revision ${current}, not ${expected}. Read it with get_task, then try again.`,
  PROCESS_INCOMPLETE: ({
    task_id,
    process_id,
    run_id,
    state,
    missing,
    events,
  }: {
    task_id: string;
    process_id: string;
    run_id: string | undefined;
    state: string | undefined;
    missing: readonly string[];
    events: readonly string[];
  }) =>
    run_id === undefined
      ? `Task "${task_id}" follows the process "${process_id}", but no run has started. Move the task to in_progress first.`
      : `Task "${task_id}" is not done: its run ${run_id} of "${process_id}" is at "${state}". ` +
        `${missing.length > 0 ? `Missing: ${missing.join('; ')}. ` : ''}Submit the evidence with state_gate.emit_event (${listEnglish(events)}), then report again.`,
  HANDOFF_NOT_YOURS: ({ handoff_id, agent_id }: { handoff_id: string; agent_id: string }) =>
    `The hand-off "${handoff_id}" is not addressed to "${agent_id}".`,
  HANDOFF_TO_SELF: ({ agent_id }: { agent_id: string }) =>
    `The agent "${agent_id}" cannot hand a task over to itself. Name another agent in to_agent_id, or omit it.`,
  HANDOFF_CLOSED: ({ handoff_id, by }: { handoff_id: string; by: string | undefined }) =>
    by === undefined
      ? `The hand-off "${handoff_id}" is no longer open.`
      : `The hand-off "${handoff_id}" was already accepted by "${by}".`,
  RUNNER_REFUSED: ({ url, reason }: { url: string; reason: string }) =>
    `The server at ${url} does not answer this Runner: ${reason}. Is it up, and is its token in SEKISHO_RUNNER_TOKEN (or runner.token)?`,
  IMPORT_INVALID: ({ line, reason }: { line: number; reason: string }) => `Line ${line} cannot be imported: ${reason}`,
};

export const problem = defineProblems(englishProblem, ja.problem);

export const englishRefusal = {
  /** A connection with an identity acts only as itself. */
  identity: (why: { own: string; named: string }) =>
    `This connection is "${why.own}" and acts only as itself, not as "${why.named}".`,
  /** The setting is `identity: required`, and this connection has not authenticated. */
  unproven: (why: { agent: string | undefined }) =>
    `This connection has not proved who it is${why.agent === undefined ? '' : `, so it cannot act for "${why.agent}"`} (identity: required). Call authenticate first.`,
  force: () => 'Only a person may close a task whose process is not over.',
};

export const refusal = defineRefusals(englishRefusal, ja.refusal);

export const englishPhrase = {
  noticeBlocked: ({ reason }: { reason: string }) => `The task is blocked${reason === '' ? '.' : `: ${reason}`}`,
  /** The summary of a task that is blocked because its run was aborted. */
  runAborted: ({ reason }: { reason: string }) => `run aborted: ${reason}`,
  noticeHandoff: ({ from, to, summary }: { from: string; to: string | null; summary: string }) =>
    `${from} hands the task over to ${to ?? 'any agent'}: ${summary}`,
  boardEmpty: () => 'There are no tasks to show. "sekisho admin create-task --help" shows how to create one.',
  importNoJson: () => 'it is not valid JSON',
  importRepeated: ({ id, line }: { id: string; line: number }) => `"${id}" is already in line ${line}`,
  instructionAuthenticated: () => 'Call get_my_task to get the details of your task.',
  instructionTask: ({ run_id }: { run_id: string | undefined }) =>
    run_id === undefined
      ? 'When the task is finished, call report_completed.'
      : `This task follows a process (${run_id}): state_gate.get_state says what is missing, state_gate.emit_event submits the evidence. When the run is over, call report_completed.`,
  instructionHandoff: ({ handoff_id, agent_id }: { handoff_id: string; agent_id: string }) =>
    `This task is handed to you. Call accept_handoff with handoff_id "${handoff_id}" and agent_id "${agent_id}", then continue it. When it is finished, call report_completed.`,
  instructionNoTask: () => 'No task is assigned to you at the moment.',
  instructionCompleted: () => 'The task is completed. The session has ended.',
  instructionBlocked: () => 'The task is blocked. The session has ended.',
  instructionLoggedOut: () => 'The session has ended.',
  instructionHandedOff: ({ to }: { to: string | undefined }) =>
    `The hand-off waits for ${to ?? 'any agent'} to accept it. Do not report the task as completed: save what you know with save_context, then call logout.`,
  instructionAccepted: () => 'The task is yours now. When it is finished, call report_completed.',
  instructionPasskey: ({ agentId }: { agentId: string }) =>
    `Save the passkey now, outside of the project: it is shown only once. For a Runner on this machine, sekisho admin rotate-passkey --agent-id ${agentId} --keep saves a new one for it.`,
  instructionKept: ({ file }: { file: string }) =>
    `The passkey is saved in ${file}, where a Runner on this machine finds it.`,
  runnerNoProgram: ({ aiType }: { aiType: string }) => `no program for ai_type "${aiType}": set it in runner.commands`,
  runnerNoPasskey: ({ agentId }: { agentId: string }) =>
    `no passkey for "${agentId}": sekisho admin rotate-passkey --agent-id ${agentId} --keep gives it a new one here`,
  runnerTitle: ({ seconds, most }: { seconds: number; most: number }) =>
    `sekisho runner: polls every ${seconds} s, at most ${most} agents at once. Ctrl-C stops it and its agents.`,
  waitsForTree: () => 'another agent still works in the tree of this task',
  attemptsSpent: ({ attempts, why }: { attempts: number; why: string | null }) =>
    `${attempts} attempts failed${why === null ? '' : `; the last: ${why}`}`,
  instructionReported: () =>
    'Your report is recorded. A person still has to answer; the task closes by itself when they approve. The session has ended.',
  runnerStuck: ({ blocked, behind, unassigned }: { blocked: number; behind: number; unassigned: number }) =>
    [
      ...(blocked > 0 ? [`${blocked} blocked`] : []),
      ...(behind > 0 ? [`${behind} ${behind === 1 ? 'waits' : 'wait'} for ${blocked === 1 ? 'it' : 'them'}`] : []),
      ...(unassigned > 0 ? [`${unassigned} ready without an agent (assign one, or set pool on the project)`] : []),
    ].join(', ') + ': sekisho tasks',
  runnerRoom: () => 'waits for a free slot',
  runnerOther: () => 'was started elsewhere',
  runnerRests: ({ failures, time }: { failures: number; time: string }) =>
    `paused until ${time} after ${failures} ${failures === 1 ? 'failure' : 'failures'}`,
  /** `what` is the outcome, the reason or the number, for events that have one. */
  runnerEvent: ({ event, who, what }: { event: string; who: string; what: string }) =>
    ({
      started: `started ${who}`,
      ended: `${who} ended: ${what}`,
      waits: `${who} waits: ${what}`,
      idle: what === '' ? 'nothing is left to start' : `nothing can continue: ${what}`,
      failed: `this round failed: ${what}`,
      stopped: `stopped ${what}`,
    })[event] ?? event,
  runnerWho: ({ agent, project, task }: { agent: string; project: string; task: string | undefined }) =>
    `${agent} in ${project}${task === undefined ? '' : `, task "${task}"`}`,
  runnerPrompt: ({ agentId, projectId, folder }: { agentId: string; projectId: string; folder: string }) =>
    [
      `You are the agent ${agentId} in the project ${projectId}. Your working directory is ${folder}.`,
      '',
      `1. Call the tool authenticate of the MCP server sekisho with agent_id "${agentId}" and project_id "${projectId}". Leave passkey out: the server has it.`,
      '2. Follow the system_prompt and the instruction of its answer: get_my_task tells you what to do.',
      '3. When you are finished, call report_completed with the session_token, then end.',
      '',
    ].join('\n'),
  promptStart: ({ title, task_id, agent }: { title: string; task_id: string; agent: string }) =>
    `# ${title}\n\nYou are ${agent}. This is task ${task_id}.`,
  promptDescription: () => 'What to do',
  promptAcceptance: () => 'Acceptance criteria',
  promptProcess: ({ process_id, run_id, state }: { process_id: string; run_id: string; state: string }) =>
    `It follows the process ${process_id} (${run_id}), which is at "${state}". state_gate.get_state says what is missing.`,
  promptContext: () => 'Progress so far',
  promptHandoff: ({ from }: { from: string }) => `Handed over by ${from}`,
  promptExecutions: () => 'Earlier executions',
  promptNothing: () => 'Nothing has been saved yet.',
  promptFinish: () => 'Save your progress with save_context. When it is finished, call report_completed.',
  promptTemplate: ({ task_id, from, title }: { task_id: string; from: string; title: string }) =>
    [
      `Prepare the hand-off of "${title}" and call create_handoff:`,
      '',
      `task_id: ${task_id}`,
      `from_agent_id: ${from}`,
      'to_agent_id: (the agent that continues; omit it for any agent)',
      'summary: (what is finished, what is not)',
      'context: (what the next agent must know: decisions, files, commands, pitfalls)',
      'recommendations: (what to do next, in order)',
    ].join('\n'),
  promptSummary: ({ title, task_id, status }: { title: string; task_id: string; status: string }) =>
    `# ${title}\n\nTask ${task_id}, ${status}.`,
  field: ({ field }: { field: 'progress' | 'findings' | 'blockers' | 'next_steps' }) =>
    ({ progress: 'Progress', findings: 'Findings', blockers: 'Blockers', next_steps: 'Next steps' })[field],
};

export const phrase = definePhrases(englishPhrase, ja.phrase);
