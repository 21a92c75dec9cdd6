import { defineProblems, defineRefusals } from '../kernel/problem.ts';
import { type Sentence, definePhrases } from '../kernel/text/text.ts';
import { listEnglish } from '../kernel/text/list.ts';
import * as ja from './ja.ts';

export const englishProblem = {
  GROUP_NOT_FOUND: ({ groupId }: { groupId: string }) => `There is no group "${groupId}"`,
  GROUP_NOT_ACTIVE: ({ groupId }: { groupId: string }) =>
    `The group "${groupId}" was deleted. Create a new one with create_group.`,
  GROUP_HAS_RUNNING_AGENTS: ({ groupId, live }: { groupId: string; live: number }) =>
    `${live} agent(s) of the group "${groupId}" are still queued or running. Wait for them with wait_agent, or end them with cancel_agents.`,
  MODE_MISMATCH: ({ groupId, mode, wanted }: { groupId: string; mode: string; wanted: string }) =>
    `The group "${groupId}" is ${mode}; this needs a ${wanted} one. Create another group with create_group.`,
  ROLE_NOT_FOUND: ({ role, known, note }: { role: string; known: readonly string[]; note: Sentence | undefined }) =>
    `There is no role "${role}". Known: ${listEnglish(known)}.${note === undefined ? '' : ` Note: ${note('en')}.`}`,
  ROLE_FILE_CHANGED: () =>
    'The configuration has been changed since you read it. Read the role again with describe_role, then try again.',
  ROLE_IS_DEFAULT: ({ role }: { role: string }) =>
    `The role "${role}" comes with Sekisho and is not in the configuration file, so there is nothing to delete. Change it with save_role.`,
  ROLE_UNAVAILABLE: ({ role, reason, remedy }: { role: string; reason: string; remedy: string }) =>
    `The role "${role}" cannot be used: ${reason}. ${remedy}`,
  MAX_CONCURRENT_REACHED: ({ live, wanted, max }: { live: number; wanted: number; max: number }) =>
    `${live} agent(s) are active and ${wanted} more are requested, but the limit is ${max}. Wait for some with wait_agent, or start fewer.`,
  AGENTS_PAUSED: ({ why }: { why: Sentence }) => `${why('en')} A person must check the state, then run: sekisho resume`,
  AGENT_NOT_FOUND: ({ agentId }: { agentId: string }) => `There is no agent "${agentId}". list_agents shows them.`,
  /** The agent waits for its stage. */
  AGENT_NOT_STARTED: ({ agentId }: { agentId: string }) =>
    `The agent "${agentId}" has not started yet, so there is nothing to report.`,
  EMPTY_AGENTS: () => 'agents is empty. Give at least one {role, prompt}.',
  EMPTY_AGENT_IDS: () => 'agentIds is empty. Give the ids that run_agents or run_sequential returned.',
  EMPTY_STAGES: () => 'stages is empty. Give at least one {tasks: [{role, prompt}]}.',
  EMPTY_STAGE_TASKS: ({ stage }: { stage: number }) =>
    `Stage ${stage} has no tasks. Give each stage at least one {role, prompt}.`,
  AGENTS_START_FAILED: ({ reason }: { reason: string }) => `The agents were not started: ${reason}`,
  SEQUENTIAL_START_FAILED: ({ reason }: { reason: string }) => `The plan was not started: ${reason}`,
};

export const problem = defineProblems(englishProblem, ja.problem);

export const englishRefusal = {
  /** A connection with an identity reports only for itself. */
  report: (why: { identity: string; agentId: string }) =>
    `This connection is "${why.identity}" and reports for itself only, not for "${why.agentId}".`,
  /** `identity: required`, but this connection has no identity. */
  unidentified: (why: { agentId: string }) =>
    `Only the agent "${why.agentId}" itself may report its result here (identity: required), and this connection has not proved who it is.`,
};

export const refusal = defineRefusals(englishRefusal, ja.refusal);

export const englishPhrase = {
  makeGroup: () => 'Create one with create_group.',
  deleteRole: ({ role, file }: { role: string; file: string }) =>
    `Removes the role "${role}" from ${file}. This takes effect once you trust the file.`,
  deleteRoleUncovers: () => 'From then on, the role of the same name that comes with Sekisho is used.',
  deleteRoleLive: ({ live, groups }: { live: number; groups: number }) =>
    `${live} agent(s) with this role, in ${groups} group(s), are queued or running. They continue as they were started.`,
  deleteRoleOfAgents: () =>
    'From then on, processes that name it treat it as a role for people (kind: agent is removed with it).',
  noticeFailed: ({ role, reason }: { role: string; reason: string }) =>
    `An agent of the role ${role} failed${reason === '' ? '.' : `: ${reason}`}`,
  noticeFinished: ({ agents, failed }: { agents: number; failed: number }) =>
    `All ${agents} agents of the group have ended${failed === 0 ? '.' : `; ${failed} of them did not succeed.`}`,
  pauseRestored: ({ at }: { at: string }) => `No agents start: the store was restored from a backup at ${at}.`,
  resumeShown: ({ at, madeAt, seq, replaced }: { at: string; madeAt: string; seq: number; replaced: number }) =>
    [
      `The store was restored at ${at} from a backup of ${madeAt} (journal entry ${seq}).`,
      replaced === 0 ? 'There was no store before.' : `The previous store ended with journal entry ${replaced}.`,
      'Agents that ran when the backup was made have ended. Check the open runs and tasks (sekisho status) before new agents start.',
    ].join('\n'),
  agentRestored: () => 'It was queued or running when the restored backup was made.',
  agentHostDied: (_params: { machine: string }) =>
    'Its host process ended unexpectedly; every process the agent had started was ended too.',
  agentHostMissing: (_params: { machine: string }) => 'Its host process could not be started.',
  agentMachineSilent: ({ machine }: { machine: string }) =>
    `The machine ${machine}, on which it ran, does not respond.`,
  agentStageFailed: ({ stage }: { stage: number }) => `It never ran: stage ${stage} failed.`,
  agentTimedOut: ({ ms }: { ms: number }) => `It was ended after its time limit of ${ms} ms.`,
  agentCancelled: () => 'It was cancelled.',
  agentHostStopped: ({ signal }: { signal: string }) => `Its host was told to stop (${signal}).`,
  agentExit: ({ code, signal }: { code: number | null; signal: string | null }) =>
    signal === null ? `It ended with exit code ${code}.` : `It was ended by ${signal}.`,
  agentNotInstalled: ({ program, remedy }: { program: string; remedy: string }) =>
    `The program "${program}" was not found. ${remedy}`,
  agentNotStarted: ({ reason }: { reason: string }) => `It could not be started: ${reason}`,
  agentNoSandbox: ({ reason }: { reason: string }) => `it must run in a sandbox, but none is available: ${reason}`,
  agentUnasked: ({ cli, file }: { cli: string; file: string }) =>
    `a process binds it, but the project's own ${file} does not call Sekisho before a tool is used. Run: sekisho init --client ${cli}`,
  agentHooksOff: ({ file }: { file: string }) =>
    `a process binds it, but ${file} switches its hooks off ("disableAllHooks", "hooksConfig"), so Sekisho is not called before a tool is used. Enable them there.`,
  agentInSandbox: ({ reason, sandbox, hidden }: { reason: string; sandbox: string; hidden: readonly string[] }) =>
    `In the sandbox (${sandbox}): ${reason}${hidden.length === 0 ? '' : `\nHidden in the sandbox: ${hidden.join(', ')}. If it needs one, add it to sandbox.allow.`}`,
  agentClaimedElsewhere: () => 'It never ran: another agent or person has claimed what it needs.',
  agentOtherBuild: () =>
    'It never ran: another version of Sekisho requested it in a way that this version does not support.',
  agentStrays: ({ count }: { count: number }) => `${count} of its processes could not be ended.`,
  agentDenied: ({ tools }: { tools: string }) => `Denied: ${tools}`,
  agentAgentIdMissing: () => 'needed, because this connection is not an agent’s own',
  groupNoFolder: ({ path }: { path: string }) => `the working directory ${path} does not exist.`,
  worktreesIgnored: () =>
    'fleet.worktrees in .sekisho/config.yaml has no effect any more: the host of an agent always records its work on a branch. Remove the line.',
  uncommitted: ({ files }: { files: number }) =>
    `${files} uncommitted ${files === 1 ? 'file' : 'files'} of this folder ${files === 1 ? 'is' : 'are'} not in the agents’ trees: they start at the last commit.`,
  groupTreeTaken: ({ run, why }: { run: string; why: Sentence }) =>
    `The run ${run} compares the files here, so no other agent may edit them, and the agent cannot get a tree of its own: ${why('en')}`,
  groupUnconfined: ({ role }: { role: string }) =>
    `you work in a sandbox, and the role "${role}" has sandbox: off. Use a role without it, or ask a person to start it.`,
  groupPlanRunning: ({ groupId }: { groupId: string }) =>
    `the group "${groupId}" is still running its last plan. Wait for it first.`,
  groupContended: () => 'too many callers were starting agents at the same time. Try again.',
  promptReport: ({ agentId }: { agentId: string }) =>
    `\n\n---\nYou are the agent ${agentId}. When you have finished, or cannot continue, call the tool report_result of the MCP server "sekisho" once, with status (success or failure), a short summary, the full report as response if there is more to say, and the files that you edited or created. Leave agentId out.\n`,
  promptEarlier: () => 'Results of the earlier stages',
  promptStage: ({ stage }: { stage: number }) => `Stage ${stage}`,
  promptCreated: () => 'Created files',
  promptEdited: () => 'Edited files',
  promptError: () => 'Error',
  roleMissingProgram: ({ program }: { program: string }) => `the program "${program}" was not found`,
  roleBrokenProgram: ({ program, reason }: { program: string; reason: string }) =>
    `the program "${program}" does not work: ${reason}`,
  roleInstall: ({ command }: { command: string }) => `Install it: ${command}`,
  roleNoAnswer: ({ ms }: { ms: number }) => `no answer within ${ms} ms`,
  rolePromptFailed: ({ reason }: { reason: string }) => `the health prompt failed: ${reason}`,
  importLogLevel: ({ level }: { level: string }) =>
    `log.level ${level}: use the environment variable LOG_LEVEL instead`,
  importBadId: ({ id }: { id: string }) => `role "${id}": an id can contain only letters, digits, "-" and "_"`,
  importTools: ({ id, tools }: { id: string; tools: readonly string[] }) =>
    `${id}: tools ${listEnglish(tools)}: say in its systemPrompt how to run them; a role with permissions: read has no shell`,
  importModel: ({ id, model, cli }: { id: string; model: string; cli: string }) =>
    `${id}: model ${model} is a Cursor name; ${cli} uses its own default`,
  logDropped: ({ bytes }: { bytes: number }) => `[${bytes} bytes of older output are no longer kept]`,
  logElsewhere: ({ machine }: { machine: string }) => `[the output is kept on the machine ${machine}]`,
};

export const phrase = definePhrases(englishPhrase, ja.phrase);
