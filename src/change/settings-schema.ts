import { isAbsolute, normalize } from 'node:path';
import * as z from 'zod';
import { rule } from '../kernel/text/rule.ts';
import { words } from './words.ts';

const inside = z
  .string()
  .min(1)
  .refine((one) => !isAbsolute(one) && !normalize(one).startsWith('..'), rule(words('a path inside of the project')));

/** `worktree:` of the configuration. */
export const treeSetupSchema = z.strictObject({
  setup: z.array(z.string()).min(1).optional(),
  copy: z.array(inside).default([]),
  link: z.array(inside).default([]),
  when: z.array(inside).default([]),
});
