import { defineModule } from '../kernel/module.ts';
import { phrase } from './phrase.ts';
import { policyPort } from '../kernel/policy.ts';
import { agentRolesPort } from '../kernel/role.ts';
import { gatePolicy } from './run/policy.ts';
import { settings } from './settings.ts';
import { tables } from './tables.ts';

export const gate = defineModule({
  name: 'gate',
  settings,
  tables,
  offers: () => [
    policyPort.offer(gatePolicy),
    agentRolesPort.offer(async (context) => (await import('./run/agent-roles.ts')).agentRoles(context)),
  ],
  introduction: (_host, as) => [
    phrase.introduction({ getState: as('state_gate.get_state'), emitEvent: as('state_gate.emit_event') }),
  ],
  notices: {
    kinds: ['run.created', 'run.event'],
    tell: async (context, entry) => (await import('./view/notices.ts')).notices(context, entry),
  },
  restored: async (restoring) => (await import('./run/restored.ts')).restored(restoring),
  catalogue: async () => (await import('./operations.ts')).catalogue,
  problems: () => import('./problem.ts'),
});
