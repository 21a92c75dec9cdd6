import { phaseEvents } from '../kernel/live-source.ts';
import { defineModule } from '../kernel/module.ts';
import { introduction } from './introduction.ts';
import { derivedDigests } from '../gate/ports.ts';
import { settings } from './settings.ts';
import { tables } from './tables.ts';

export const phase = defineModule({
  name: 'phase',
  settings,
  tables,
  offers: () => [
    derivedDigests.offer(async (context) => [(await import('./plan/plan.ts')).planOf(context).digest]),
    phaseEvents.offer({
      recent: async (context) => (await import('./live.ts')).phaseLive.recent(context),
      tell: async (context, entry) => (await import('./live.ts')).phaseLive.tell(context, entry),
    }),
  ],
  introduction: () => [introduction.phase()],
  catalogue: async () => (await import('./operations.ts')).catalogue,
  endpoints: async () => (await import('./endpoints.ts')).promptEndpoints,
  problems: () => import('./problem.ts'),
});
