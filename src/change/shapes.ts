import * as z from 'zod';

/** A change as tools show it. */
export const changeSchema = z.object({
  change_id: z.string(),
  branch: z.string(),
  commit: z.string().nullable(),
  files: z.number(),
  additions: z.number(),
  deletions: z.number(),
  state: z.string(),
});
