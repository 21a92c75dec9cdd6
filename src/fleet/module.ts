import { defineModule } from '../kernel/module.ts';
import { introduction } from './introduction.ts';
import { configuredAgentRoles } from '../kernel/role.ts';
import { agentMarks } from './agents.ts';
import { settings } from './settings.ts';
import { tables } from './tables.ts';

export const fleet = defineModule({
  name: 'fleet',
  settings,
  tables,
  agents: agentMarks,
  offers: (host) => [
    configuredAgentRoles.offer(settings.of(host).roles.flatMap((one) => (one.kind === 'agent' ? [one.id] : []))),
  ],
  introduction: () => [introduction.fleet()],
  notices: {
    kinds: ['agent.ended', 'plan.completed', 'plan.stopped'],
    tell: async (context, entry) => (await import('./view/notices.ts')).notices(context, entry),
    open: async (context, most) => (await import('./view/notices.ts')).openMatters(context, most),
  },
  async begin(context) {
    if (settings.of(context).fleet.worktrees === undefined) return;
    const { phrase } = await import('./problem.ts');
    context.log.warn(context.say(phrase.worktreesIgnored()));
  },
  restored: async (restoring) => (await import('./plan/restored.ts')).restored(restoring),
  catalogue: async () => (await import('./operations.ts')).catalogue,
  sockets: async () => {
    const { fleetSocket } = await import('./view/socket.ts');
    return (host) => [fleetSocket((project) => host.systemContext(project))];
  },
  problems: () => import('./problem.ts'),
});
