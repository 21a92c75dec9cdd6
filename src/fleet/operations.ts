import type { Catalogue } from '../kernel/operation.ts';
import { cancelAgents } from './operation/cancel-agents.ts';
import { createGroup } from './operation/create-group.ts';
import { deleteGroup } from './operation/delete-group.ts';
import { deleteRole } from './operation/delete-role.ts';
import { describeAgent } from './operation/describe-agent.ts';
import { getAgentLog } from './operation/get-agent-log.ts';
import { getAgentStatus } from './operation/get-agent-status.ts';
import { listAgents } from './operation/list-agents.ts';
import { listGroups } from './operation/list-groups.ts';
import { describeRole } from './operation/describe-role.ts';
import { saveRole } from './operation/save-role.ts';
import { listRoles } from './operation/list-roles.ts';
import { reportResult } from './operation/report-result.ts';
import { resumeAgents } from './operation/resume-agents.ts';
import { runAgents } from './operation/run-agents.ts';
import { runSequential } from './operation/run-sequential.ts';
import { waitAgent } from './operation/wait-agent.ts';

export const catalogue: Catalogue = {
  operations: [
    createGroup,
    deleteGroup,
    runAgents,
    runSequential,
    listAgents,
    getAgentStatus,
    waitAgent,
    reportResult,
    listRoles,
    describeRole,
    saveRole,
    deleteRole,
    cancelAgents,
    getAgentLog,
    listGroups,
    describeAgent,
    resumeAgents,
  ],
  resources: [],
  prompts: [],
};
