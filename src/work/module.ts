import { profiles } from '../fleet/ports.ts';
import { afterAbort, afterFinal } from '../gate/ports.ts';
import { introduction } from './introduction.ts';
import { defineModule } from '../kernel/module.ts';
import { callbacks } from './runner/callbacks.ts';
import { settings } from './settings.ts';
import { tables } from './tables.ts';

export const work = defineModule({
  name: 'work',
  settings,
  tables,
  callbacks,
  offers: () => [
    profiles.offer(async (...page) => (await import('./session/agents.ts')).listProfiles(...page)),
    afterFinal.offer(async (...run) => (await import('./task/change.ts')).closeReportedTasks(...run)),
    afterAbort.offer(async (...run) => (await import('./task/change.ts')).blockTasks(...run)),
  ],
  begin: async (context) => (await import('./task/number.ts')).numberProjects(context),
  introduction: () => [introduction.work()],
  notices: {
    kinds: ['task.updated', 'handoff.created'],
    tell: async (context, entry) => (await import('./task/notices.ts')).notices(context, entry),
    open: async (context, most) => (await import('./task/notices.ts')).openMatters(context, most),
  },
  restored: async (restoring) => (await import('./session/restored.ts')).restored(restoring),
  catalogue: async () => (await import('./operations.ts')).catalogue,
  problems: () => import('./problem.ts'),
});
