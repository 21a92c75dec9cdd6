import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { abort } from '../run/abort.ts';
import { described, words } from '../words.ts';

export const abortRun = defineOperation({
  name: 'abort_run',
  toolsets: ['admin'],
  effect: 'write',
  idempotent: true,
  summary: words(
    'End a run that is no longer needed. It is final and never counts as done; a task that follows it is blocked.',
  ),
  example: '--run-id run-… --reason "The customer has withdrawn the request"',
  command: 'sekisho abort <run> --reason "…"',
  input: z.strictObject({
    run_id: described(z.string(), 'Run ID, or a prefix that only one run has'),
    reason: described(z.string().trim().min(1).max(10_000), 'Why; kept in the history'),
  }),
  output: z.object({
    run_id: z.string(),
    current_state: described(z.string(), 'The state in which it was aborted'),
    revision: z.number(),
    aborted: z.object({ by: z.string(), since: z.string(), reason: z.string() }),
    already: described(z.boolean(), 'True if it was already aborted; nothing has changed now'),
  }),
  run: (context, { run_id: id, reason }) => abort(context, id, reason),
});
