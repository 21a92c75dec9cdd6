import type { SomeTexts } from '../../texts.ts';

const list = (items: readonly string[]) => items.join(', ') || 'none';

export const fleet = {
  problems: {
    GROUP_NOT_FOUND: ({ groupId }) => `There is no group "${groupId}". Make one with create_group.`,
    GROUP_NOT_ACTIVE: ({ groupId }) => `The group "${groupId}" was deleted. Make a new one with create_group.`,
    GROUP_HAS_RUNNING_AGENTS: ({ groupId, live }) =>
      `${live} agent(s) of the group "${groupId}" are still queued or running. Wait for them with wait_agent, or end them with cancel_agents.`,
    MODE_MISMATCH: ({ groupId, mode, wanted }) =>
      `The group "${groupId}" is ${mode}; this needs a ${wanted} one. Make another group with create_group.`,
    ROLE_NOT_FOUND: ({ role, known }) => `There is no role "${role}". Known: ${list(known)}.`,
    ROLE_UNAVAILABLE: ({ role, reason, remedy }) => `The role "${role}" cannot be used: ${reason}. ${remedy}`,
    MAX_CONCURRENT_REACHED: ({ live, wanted, max }) =>
      `${live} agent(s) are live and ${wanted} more are wanted, but at most ${max} may be at once. Wait for some with wait_agent, or start fewer.`,
    AGENT_NOT_FOUND: ({ agentId }) => `There is no agent "${agentId}". list_agents shows them.`,
    AGENT_NOT_STARTED: ({ agentId }) => `The agent "${agentId}" has not started yet, so there is nothing to report.`,
    EMPTY_AGENTS: () => 'agents is empty. Give at least one {role, prompt}.',
    EMPTY_AGENT_IDS: () => 'agentIds is empty. Give the ids that run_agents or run_sequential returned.',
    EMPTY_STAGES: () => 'stages is empty. Give at least one {tasks: [{role, prompt}]}.',
    EMPTY_STAGE_TASKS: ({ stage }) => `Stage ${stage} has no tasks. Give each stage at least one {role, prompt}.`,
    AGENTS_START_FAILED: ({ reason }) => `The agents were not started: ${reason}`,
    SEQUENTIAL_START_FAILED: ({ reason }) => `The plan was not started: ${reason}`,
  },
  refusals: {
    report: (why) => `This connection is "${why.identity}" and reports for itself only, not for "${why.agentId}".`,
    unidentified: (why) =>
      `Only the agent "${why.agentId}" itself may report its result here (identity: required), and this connection has not proved who it is.`,
  },
  phrases: {
    'agent.host-died': () => 'Its host process ended unexpectedly; what the agent had started was ended too.',
    'agent.host-missing': () => 'Its host process could not be started.',
    'agent.machine-silent': ({ machine }) => `The machine ${machine}, where it ran, has given no sign of life.`,
    'agent.stage-failed': ({ stage }) => `It never ran: stage ${stage} failed.`,
    'agent.timed-out': ({ ms }) => `It was ended after its time limit of ${ms} ms.`,
    'agent.cancelled': () => 'It was cancelled.',
    'agent.host-stopped': ({ signal }) => `Its host was told to stop (${signal}).`,
    'agent.exit': ({ code, signal }) =>
      signal === null ? `It ended with exit code ${code}.` : `It was ended by ${signal}.`,
    'agent.not-installed': ({ program, remedy }) => `The program "${program}" was not found. ${remedy}`,
    'agent.not-started': ({ reason }) => `It could not be started: ${reason}`,
    'agent.claimed-elsewhere': () => 'It never ran: somebody else has claimed what it needs.',
    'agent.strays': ({ count }) => `${count} of its processes could not be ended.`,
    'agent.denied': ({ tools }) => `Denied: ${tools}`,
    'agent.agent-id-missing': () => 'needed, because this connection is not an agent’s own',
    'group.no-folder': ({ path }) => `the working directory ${path} does not exist.`,
    'group.plan-running': ({ groupId }) => `the group "${groupId}" is still at its last plan. Wait for it first.`,
    'group.contended': () => 'too many others were starting agents at the same moment. Try again.',
    'prompt.report': ({ agentId }) =>
      `\n\n---\nYou are the agent ${agentId}. When you have finished, or cannot go on, call the tool report_result of the MCP server "sekisho" once, with status (success or failure), a short summary, and the files that you edited or created. It knows who you are; leave agentId out.\n`,
    'prompt.earlier': () => 'Results of the earlier stages',
    'prompt.stage': ({ stage }) => `Stage ${stage}`,
    'prompt.created': () => 'Created files',
    'prompt.edited': () => 'Edited files',
    'prompt.error': () => 'Error',
    'role.missing-program': ({ program }) => `the program "${program}" was not found`,
    'role.broken-program': ({ program, reason }) => `the program "${program}" does not work: ${reason}`,
    'role.install': ({ command }) => `Install it: ${command}`,
    'role.no-answer': ({ ms }) => `no answer within ${ms} ms`,
    'role.prompt-failed': ({ reason }) => `the health prompt failed: ${reason}`,
    'log.dropped': ({ bytes }) => `[${bytes} bytes of older output are no longer kept]`,
    'log.elsewhere': ({ machine }) => `[the output is kept on the machine ${machine}]`,
  },
} satisfies SomeTexts;
