import * as z from 'zod';
import { cursorInput as pageCursor } from '../kernel/store/page-input.ts';
import { runStatuses } from './run/status.ts';
import { described } from './words.ts';

/** Input and output schemas that several operations share. */
export const permissionsSchema = described(
  z
    .object({
      allowed: z.array(z.string()).readonly(),
      denied: z.array(z.string()).readonly(),
      ask: z.array(z.string()).readonly(),
    })
    .nullable(),
  'Which tools this state permits; null if the process does not restrict them',
);

export const runIdInput = described(z.string().optional(), 'Run ID; the current run by default');

export const runStatusSchema = described(
  z.enum(runStatuses),
  'completed: it reached a final state; aborted: a person ended it early',
);

export const abortedSchema = described(
  z.object({ by: z.string(), since: z.string(), reason: z.string() }).nullable(),
  'Who aborted it, when and why; null if it was not aborted',
);

export const cursorInput = pageCursor('next_cursor');

export const jsonSchema = z.record(z.string(), z.unknown());

export const guardStatus = z.enum(['satisfied', 'unsatisfied', 'no_guard']);

export const emitAnswerSchema = z.object({
  success: z.literal(true),
  result: z.object({
    event_id: z.string(),
    accepted: z.literal(true),
    transition: z.object({ from_state: z.string(), to_state: z.string() }),
    new_revision: z.number(),
    new_state_prompt: z.string().nullable(),
    is_final: z.boolean(),
    moved: described(z.boolean(), 'False if the run stays in its state'),
    missing_guards: described(z.array(z.string()).readonly().optional(), 'Unsatisfied guards, if the run did not move'),
    waits_for_person: described(z.string().optional(), 'What a person has to do now, and with which command'),
    ignored_keys: described(
      z
        .array(z.object({ key: z.string(), reason: z.string() }))
        .readonly()
        .optional(),
      'Keys of the payload that did not enter the context',
    ),
  }),
  warnings: described(
    z.array(z.string()).readonly().optional(),
    'Weaknesses of the gate, such as hooks that do not ask',
  ),
  replayed: z.literal(true).optional(),
  code: z.literal('IDEMPOTENT_REPLAY').optional(),
});

export const requiredArtifactsSchema = z
  .array(z.object({ type: z.string(), description: z.string(), status: z.enum(['missing', 'present']) }))
  .readonly();
