import { defineSettings, structure, text } from '../kernel/setting.ts';
import type { TreeSetup } from './prepare-tree.ts';

/**
 * Where agents' work starts and lands, and how their trees are prepared. There are no variables for it, since an agent
 * could set them.
 */
export const settings = defineSettings({
  land: {
    /** The branch on which trees start; by default the branch of the main checkout when the first tree is made. */
    target: text({ env: null }),
  },
  worktree: structure<TreeSetup>(
    { copy: [], link: [], when: [] },
    async () => (await import('./settings-schema.ts')).treeSetupSchema,
  ),
});
