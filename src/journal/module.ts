import { defineModule } from '../kernel/module.ts';

/** Operations on the journal as a whole, across all modules. */
export const journal = defineModule({
  name: 'journal',
  catalogue: async () => (await import('./operations.ts')).catalogue,
});
