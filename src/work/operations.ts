import type { Catalogue } from '../kernel/operation.ts';
import { acceptHandoff } from './operation/accept-handoff.ts';
import { assignAgent } from './operation/assign-agent.ts';
import { assignTask } from './operation/assign-task.ts';
import { authenticate } from './operation/authenticate.ts';
import { createAgent } from './operation/create-agent.ts';
import { createHandoff } from './operation/create-handoff.ts';
import { createProject } from './operation/create-project.ts';
import { createTask } from './operation/create-task.ts';
import { deleteTask } from './operation/delete-task.ts';
import { getAgentProfile } from './operation/get-agent-profile.ts';
import { getExecutionLog } from './operation/get-execution-log.ts';
import { getMyTask } from './operation/get-my-task.ts';
import { getPendingHandoffs } from './operation/get-pending-handoffs.ts';
import { getPendingTasks } from './operation/get-pending-tasks.ts';
import { getProject } from './operation/get-project.ts';
import { getTask } from './operation/get-task.ts';
import { getTaskContext } from './operation/get-task-context.ts';
import { getTaskHistory } from './operation/get-task-history.ts';
import { healthCheck } from './operation/health-check.ts';
import { listActiveProjectsWithAgents } from './operation/list-active-projects-with-agents.ts';
import { listExecutionLogs } from './operation/list-execution-logs.ts';
import { listProjects } from './operation/list-projects.ts';
import { listTasks } from './operation/list-tasks.ts';
import { logout } from './operation/logout.ts';
import { readExecutionLog } from './operation/read-execution-log.ts';
import { reportCompleted } from './operation/report-completed.ts';
import { reportExecutionComplete } from './operation/report-execution-complete.ts';
import { reportExecutionStart } from './operation/report-execution-start.ts';
import { rotatePasskey } from './operation/rotate-passkey.ts';
import { saveContext } from './operation/save-context.ts';
import { setAgentStatus } from './operation/set-agent-status.ts';
import { setProjectStatus } from './operation/set-project-status.ts';
import { listWaits } from './operation/list-waits.ts';
import { shouldStart } from './operation/should-start.ts';
import { unassignAgent } from './operation/unassign-agent.ts';
import { updateTask } from './operation/update-task.ts';
import { updateTaskStatus } from './operation/update-task-status.ts';
import { createTasks } from './operation/create-tasks.ts';
import { moveTasks } from './operation/move-tasks.ts';
import { reopenTask } from './operation/reopen-task.ts';
import { updateProject } from './operation/update-project.ts';
import { listCards } from './operation/list-cards.ts';
import { describeTask } from './operation/describe-task.ts';
import { getTimeline } from './operation/get-timeline.ts';
import { listInstances } from './operation/list-instances.ts';
import { workPrompts } from './prompts.ts';
import { workResources } from './resources.ts';

/** The operations of the work module. `list_agents` is in the fleet module, which asks this one for the profiles. */
export const catalogue: Catalogue = {
  operations: [
    healthCheck,
    listActiveProjectsWithAgents,
    shouldStart,
    listWaits,
    authenticate,
    logout,
    getMyTask,
    reportCompleted,
    getPendingTasks,
    reportExecutionStart,
    reportExecutionComplete,
    listExecutionLogs,
    getExecutionLog,
    readExecutionLog,
    getAgentProfile,
    listProjects,
    getProject,
    listTasks,
    getTask,
    getTaskHistory,
    updateTaskStatus,
    assignTask,
    saveContext,
    getTaskContext,
    createHandoff,
    acceptHandoff,
    getPendingHandoffs,
    createProject,
    updateProject,
    setProjectStatus,
    createAgent,
    rotatePasskey,
    setAgentStatus,
    assignAgent,
    unassignAgent,
    createTask,
    createTasks,
    updateTask,
    moveTasks,
    reopenTask,
    deleteTask,
    listCards,
    describeTask,
    getTimeline,
    listInstances,
  ],
  resources: workResources,
  prompts: workPrompts,
};
