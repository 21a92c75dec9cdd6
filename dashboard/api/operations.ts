import type { z } from 'zod';
import type { UserAnswers } from '../../src/app/door.ts';
import type { cancelAgents } from '../../src/fleet/operation/cancel-agents.ts';
import type { describeAgent } from '../../src/fleet/operation/describe-agent.ts';
import type { getAgentLog } from '../../src/fleet/operation/get-agent-log.ts';
import type { listAgents } from '../../src/fleet/operation/list-agents.ts';
import type { listGroups } from '../../src/fleet/operation/list-groups.ts';
import type { listRoles } from '../../src/fleet/operation/list-roles.ts';
import type { approve } from '../../src/gate/operation/approve.ts';
import type { createRun } from '../../src/gate/operation/create-run.ts';
import type { describeProcess } from '../../src/gate/operation/describe-process.ts';
import type { describeRun } from '../../src/gate/operation/describe-run.ts';
import type { emitEvent } from '../../src/gate/operation/emit-event.ts';
import type { getHistory } from '../../src/gate/operation/get-history.ts';
import type { listProcesses } from '../../src/gate/operation/list-processes.ts';
import type { listRuns } from '../../src/gate/operation/list-runs.ts';
import type { listWaiting } from '../../src/gate/operation/list-waiting.ts';
import type { readEvidence } from '../../src/gate/operation/read-evidence.ts';
import type { reject } from '../../src/gate/operation/reject.ts';
import type { trust } from '../../src/gate/operation/trust.ts';
import type { useRun } from '../../src/gate/operation/use-run.ts';
import type { listJournal } from '../../src/journal/operation/list-journal.ts';
import type { labelPrompt } from '../../src/phase/operation/label-prompt.ts';
import type { listPromptVersions } from '../../src/phase/operation/list-prompt-versions.ts';
import type { listPrompts } from '../../src/phase/operation/list-prompts.ts';
import type { previewPrompt } from '../../src/phase/operation/preview-prompt.ts';
import type { publishPrompt } from '../../src/phase/operation/publish-prompt.ts';
import type { rollBackPrompt } from '../../src/phase/operation/roll-back-prompt.ts';
import type { showPrompt } from '../../src/phase/operation/show-prompt.ts';
import type { withdrawPrompt } from '../../src/phase/operation/withdraw-prompt.ts';
import type { listOpenMatters } from '../../src/notify/operation/list-open-matters.ts';
import type { verifyJournal } from '../../src/journal/operation/verify-journal.ts';
import type { assignAgent } from '../../src/work/operation/assign-agent.ts';
import type { getAgentProfile } from '../../src/work/operation/get-agent-profile.ts';
import type { getProject } from '../../src/work/operation/get-project.ts';
import type { rotatePasskey } from '../../src/work/operation/rotate-passkey.ts';
import type { setAgentStatus } from '../../src/work/operation/set-agent-status.ts';
import type { setProjectStatus } from '../../src/work/operation/set-project-status.ts';
import type { createTask } from '../../src/work/operation/create-task.ts';
import type { deleteTask } from '../../src/work/operation/delete-task.ts';
import type { describeTask } from '../../src/work/operation/describe-task.ts';
import type { getTaskContext } from '../../src/work/operation/get-task-context.ts';
import type { getTaskHistory } from '../../src/work/operation/get-task-history.ts';
import type { getTimeline } from '../../src/work/operation/get-timeline.ts';
import type { listCards } from '../../src/work/operation/list-cards.ts';
import type { listExecutionLogs } from '../../src/work/operation/list-execution-logs.ts';
import type { listInstances } from '../../src/work/operation/list-instances.ts';
import type { listProjects } from '../../src/work/operation/list-projects.ts';
import type { reopenTask } from '../../src/work/operation/reopen-task.ts';
import type { updateTask } from '../../src/work/operation/update-task.ts';

/** The operations that the page calls, by name, each with the types of its definition. A test checks the names. */
interface Operations {
  approve: typeof approve;
  describe_process: typeof describeProcess;
  describe_run: typeof describeRun;
  label_prompt: typeof labelPrompt;
  list_journal: typeof listJournal;
  list_prompt_versions: typeof listPromptVersions;
  list_prompts: typeof listPrompts;
  list_open_matters: typeof listOpenMatters;
  list_waiting: typeof listWaiting;
  preview_prompt: typeof previewPrompt;
  publish_prompt: typeof publishPrompt;
  read_evidence: typeof readEvidence;
  reject: typeof reject;
  roll_back_prompt: typeof rollBackPrompt;
  show_prompt: typeof showPrompt;
  'state_gate.create_run': typeof createRun;
  'state_gate.emit_event': typeof emitEvent;
  'state_gate.get_history': typeof getHistory;
  'state_gate.list_processes': typeof listProcesses;
  'state_gate.list_runs': typeof listRuns;
  trust: typeof trust;
  create_task: typeof createTask;
  delete_task: typeof deleteTask;
  describe_task: typeof describeTask;
  get_task_context: typeof getTaskContext;
  get_task_history: typeof getTaskHistory;
  get_timeline: typeof getTimeline;
  list_cards: typeof listCards;
  list_execution_logs: typeof listExecutionLogs;
  list_instances: typeof listInstances;
  list_projects: typeof listProjects;
  reopen_task: typeof reopenTask;
  update_task: typeof updateTask;
  cancel_agents: typeof cancelAgents;
  describe_agent: typeof describeAgent;
  get_agent_log: typeof getAgentLog;
  list_agents: typeof listAgents;
  list_groups: typeof listGroups;
  list_roles: typeof listRoles;
  assign_agent: typeof assignAgent;
  get_agent_profile: typeof getAgentProfile;
  get_project: typeof getProject;
  rotate_passkey: typeof rotatePasskey;
  set_agent_status: typeof setAgentStatus;
  set_project_status: typeof setProjectStatus;
  use_run: typeof useRun;
  verify_journal: typeof verifyJournal;
  withdraw_prompt: typeof withdrawPrompt;
}

export type Name = keyof Operations;
export type Input<N extends Name> = z.input<Operations[N]['input']>;
export type Output<N extends Name> = z.output<Operations[N]['output']>;

/** What concerns no project. */
export type UserName = keyof UserAnswers;
export type UserOutput<N extends UserName> = UserAnswers[N];

/** What is about to be agreed to, and the input that does exactly that. */
export interface Asked<N extends Name> {
  readonly text: string | null;
  readonly input: Input<N>;
}
