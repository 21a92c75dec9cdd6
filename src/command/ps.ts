import { listAgents } from '../fleet/operation/list-agents.ts';
import type { JsonObject } from '../base/json-object.ts';
import { shortForm } from './frame/short-form.ts';

export const ps = shortForm({
  operation: listAgents,
  usage: 'sekisho ps [group] [--status running]',
  examples: ['sekisho ps', 'sekisho ps --status running', 'sekisho ps --json'],
  words: ({ positionals: [group] }) => (group === undefined ? {} : { groupId: group }),
  view: ({ agents }) => ({
    agents: (agents as readonly JsonObject[]).map((one) => ({
      agent: one['agentId'],
      status: one['status'],
      seconds: Math.round(Number(one['elapsed_ms'] ?? 0) / 1000),
      calls: one['toolCallCount'],
      last: (one['result'] as JsonObject | null)?.['errorMessage'] ?? one['lastActivity'],
    })),
  }),
});
