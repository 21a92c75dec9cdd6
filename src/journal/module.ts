import { defineModule } from '../kernel/module.ts';

/** What a person may ask of the journal itself, whichever module wrote it. */
export const journal = defineModule({
  name: 'journal',
  catalogue: async () => (await import('./operations.ts')).catalogue,
});
