import * as z from 'zod';
import { cursorInput as pageCursor } from '../kernel/store/page-input.ts';
import { longestTimerMs } from '../kernel/setting.ts';
import { changeSchema } from '../change/index.ts';
import { resultStatuses, statuses } from './view/state.ts';
import { described } from './words.ts';

export const groupIdInput = described(z.string(), 'From create_group');
export const agentIdInput = described(z.string(), 'From run_agents or run_sequential');
export const cursorInput = pageCursor('nextCursor');

export const taskInput = z.strictObject({
  role: described(z.string(), 'One of list_roles'),
  prompt: described(z.string(), 'The task for the agent'),
  workingDirectory: described(z.string().optional(), 'Working directory, relative to the project root (the default)'),
  timeout_ms: described(z.int().min(1).max(longestTimerMs).optional(), 'Time limit in milliseconds'),
});

/** What the caller should know about the start. */
export const notesSchema = described(z.array(z.string()).optional(), 'What to know about the start');

export const startedSchema = z.object({
  agentId: z.string(),
  groupId: z.string(),
  role: z.string(),
  model: z.string(),
  status: z.enum(statuses),
});

const resultSchema = z.object({
  status: z.enum(resultStatuses),
  summary: z.string(),
  editedFiles: z.array(z.string()),
  createdFiles: z.array(z.string()),
  errorMessage: z.string().nullable(),
  response: described(z.string().nullable(), 'The full report, if it gave one'),
  duration_ms: z.number(),
  source: z.enum(['auto', 'report']),
  timestamp: z.string(),
  truncated: described(z.literal(true).optional(), 'Long texts and lists are cut; get_agent_status returns everything'),
});

const usageSchema = z
  .object({
    inputTokens: z.number().optional(),
    outputTokens: z.number().optional(),
    cachedTokens: z.number().optional(),
    costUsd: z.number().optional(),
  })
  .nullable();

export const agentSchema = z.object({
  agentId: z.string(),
  groupId: z.string().nullable(),
  role: z.string(),
  model: z.string(),
  status: z.enum(statuses),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable(),
  elapsed_ms: z.number(),
  toolCallCount: z.number(),
  stageIndex: z.number().nullable(),
  workingDirectory: z.string(),
  lastActivity: z.string().nullable(),
  usage: usageSchema,
  exitCode: z.number().nullable(),
  result: resultSchema.nullable(),
  change: described(changeSchema.optional(), 'The commit of what it made in its own tree'),
});

/** A group with counts of its agents and the sum of their usage. */
export const groupSchema = z.object({
  groupId: z.string(),
  description: z.string(),
  mode: z.string().nullable(),
  status: z.string(),
  createdAt: z.string(),
  agents: z.number(),
  counts: z.record(z.enum(statuses), z.number()),
  toolCallCount: z.number(),
  usage: described(usageSchema, 'Total of the agents that reported usage'),
  startedAt: z.string().nullable(),
  endedAt: described(z.string().nullable(), 'Null until all of them have ended'),
  currentStageIndex: z.number().nullable(),
  totalStages: z.number().nullable(),
  changes: described(z.array(changeSchema), 'What its agents made in trees of their own'),
});

/** Casts readonly arrays of a state to the mutable arrays of an output schema. */
export function asMutable<T>(value: T): { -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] } {
  return value as never;
}
