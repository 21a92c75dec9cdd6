import type { SomeTexts } from '../../texts.ts';

const list = (items: readonly string[]) => items.join(', ') || 'none';

export const work = {
  problems: {
    INVALID_CREDENTIALS: () => 'Invalid agent_id or passkey',
    ALREADY_RUNNING: () => 'Agent instance already running for this project',
    INVALID_SESSION: () => 'Invalid or expired session_token',
    INVALID_SESSION_OR_TASK: () => 'Invalid session_token or task_id',
    INVALID_EXECUTION_OR_SESSION: () => 'Invalid execution_id or session_token',
    PROJECT_NOT_FOUND: ({ project_id }) => `There is no project "${project_id}". list_projects shows them.`,
    TASK_NOT_FOUND: ({ task_id }) => `There is no task "${task_id}". list_tasks shows them.`,
    HANDOFF_NOT_FOUND: ({ handoff_id }) =>
      `There is no hand-off "${handoff_id}". get_pending_handoffs shows the open ones.`,
    EXECUTION_NOT_FOUND: ({ execution_id }) =>
      `There is no execution "${execution_id}". list_execution_logs shows them.`,
    ID_TAKEN: ({ id }) => `"${id}" is taken. Choose another id, or leave it out.`,
    NOT_ASSIGNED: ({ agent_id, project_id }) =>
      `The agent "${agent_id}" is not assigned to the project "${project_id}".`,
    INVALID_TRANSITION: ({ task_id, from, to, possible }) =>
      `Task "${task_id}" is ${from} and cannot become ${to}. From here: ${list(possible)}.`,
    DEPENDENCIES_OPEN: ({ task_id, open }) => `Task "${task_id}" cannot start before these are done: ${list(open)}.`,
    DEPENDENCY_CYCLE: ({ task_id, other }) => `Task "${task_id}" cannot come after "${other}", which comes after it.`,
    TASK_CLAIMED: ({ task_id, agent_id }) =>
      `The agent "${agent_id}" is working on task "${task_id}". Wait until its session ends, or ask it for a hand-off.`,
    TASK_NOT_YOURS: ({ task_id, agent_id, assignee_id }) =>
      assignee_id === null
        ? `Task "${task_id}" is not assigned to "${agent_id}". Accept its hand-off first, or call logout.`
        : `Task "${task_id}" is assigned to "${assignee_id}", not to "${agent_id}": only the assignee can report it. Accept a hand-off first, or call logout.`,
    TASK_STARTED: ({ task_id }) => `Task "${task_id}" has started; its process cannot be changed any more.`,
    TASK_CLOSED: ({ task_id, status }) => `Task "${task_id}" is ${status}; there is nothing to hand over.`,
    TASK_CONFLICT: ({ task_id, expected, current }) =>
      expected === undefined
        ? `Task "${task_id}" was changed by others all the time (revision ${current}). Read it with get_task and try again.`
        : `Task "${task_id}" is at revision ${current}, not ${expected}. Read it with get_task, then try again.`,
    PROCESS_INCOMPLETE: ({ task_id, process_id, run_id, state, missing, events }) =>
      run_id === undefined
        ? `Task "${task_id}" follows the process "${process_id}", of which no run was started. Move the task to in_progress first.`
        : `Task "${task_id}" is not done: its run ${run_id} of "${process_id}" stands at "${state}". ` +
          `${missing.length > 0 ? `Missing: ${missing.join('; ')}. ` : ''}Submit the evidence with state_gate.emit_event (${list(events)}), then report again.`,
    HANDOFF_NOT_YOURS: ({ handoff_id, agent_id }) => `The hand-off "${handoff_id}" is not addressed to "${agent_id}".`,
    HANDOFF_CLOSED: ({ handoff_id, by }) =>
      by === undefined
        ? `The hand-off "${handoff_id}" is no longer open.`
        : `The hand-off "${handoff_id}" was already accepted by "${by}".`,
    IMPORT_INVALID: ({ line, reason }) => `Line ${line} cannot be imported: ${reason}`,
  },
  refusals: {
    identity: (why) => `This connection is "${why.own}" and acts only as itself, not as "${why.named}".`,
    unproven: (why) =>
      `This connection has not proved who it is${why.agent === undefined ? '' : `, so it cannot act for "${why.agent}"`} (identity: required). Call authenticate first.`,
    force: () => 'Only a person may close a task whose process is not over.',
  },
  phrases: {
    'work.instruction.authenticated': () => 'Call get_my_task to get the details of your task.',
    'work.instruction.task': ({ run_id }) =>
      run_id === undefined
        ? 'When the task is finished, call report_completed.'
        : `This task follows a process (${run_id}): state_gate.get_state says what is missing, state_gate.emit_event submits the evidence. When the run is over, call report_completed.`,
    'work.instruction.handoff': ({ handoff_id, agent_id }) =>
      `This task is handed to you. Call accept_handoff with handoff_id "${handoff_id}" and agent_id "${agent_id}", then go on with it. When it is finished, call report_completed.`,
    'work.instruction.no_task': () => 'No task is assigned to you at the moment.',
    'work.instruction.completed': () => 'The task is completed. The session has ended.',
    'work.instruction.blocked': () => 'The task is blocked. The session has ended.',
    'work.instruction.logged_out': () => 'The session has ended.',
    'work.instruction.handed_off': ({ to }) =>
      `The hand-off waits for ${to ?? 'whoever takes it'}. Do not report the task as completed: save what you know with save_context, then call logout.`,
    'work.instruction.accepted': () => 'The task is yours now. When it is finished, call report_completed.',
    'work.instruction.passkey': () => 'Keep the passkey now: it is shown only once.',
    'work.runner.prompt': ({ agentId, projectId, folder }) =>
      [
        `You are the agent ${agentId} in the project ${projectId}. Your working directory is ${folder}.`,
        '',
        `1. Call the tool authenticate of the MCP server sekisho with agent_id "${agentId}" and project_id "${projectId}". Leave passkey out: the server has it.`,
        '2. Follow the system_prompt and the instruction of its answer: get_my_task tells you what to do.',
        '3. When you are finished, call report_completed with the session_token, then end.',
        '',
      ].join('\n'),
    'work.prompt.start': ({ title, task_id, agent }) => `# ${title}\n\nYou are ${agent}. This is task ${task_id}.`,
    'work.prompt.description': () => 'What to do',
    'work.prompt.acceptance': () => 'It is done when',
    'work.prompt.process': ({ process_id, run_id, state }) =>
      `It follows the process ${process_id} (${run_id}), which stands at "${state}". state_gate.get_state says what is missing.`,
    'work.prompt.context': () => 'Where it stands',
    'work.prompt.handoff': ({ from }) => `Handed over by ${from}`,
    'work.prompt.executions': () => 'Earlier executions',
    'work.prompt.nothing': () => 'Nothing has been noted yet.',
    'work.prompt.finish': () => 'Note your progress with save_context. When it is finished, call report_completed.',
    'work.prompt.template': ({ task_id, from, title }) =>
      [
        `Prepare the hand-off of "${title}" and call create_handoff:`,
        '',
        `task_id: ${task_id}`,
        `from_agent_id: ${from}`,
        'to_agent_id: (whoever should go on; leave it out if nobody is meant)',
        'summary: (what is finished, what is not)',
        'context: (what the next one must know: decisions, files, commands, traps)',
        'recommendations: (what to do next, in order)',
      ].join('\n'),
    'work.prompt.summary': ({ title, task_id, status }) => `# ${title}\n\nTask ${task_id}, ${status}.`,
    'work.field': ({ field }) =>
      ({ progress: 'Progress', findings: 'Findings', blockers: 'Blockers', next_steps: 'Next steps' })[field],
  },
} satisfies SomeTexts;
