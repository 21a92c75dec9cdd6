import * as z from 'zod';
import { cursorInput as pageCursor } from '../kernel/page-input.ts';
import { resultStatuses, statuses } from './view/state.ts';

export const groupIdInput = z.string().describe('From create_group');
export const agentIdInput = z.string().describe('From run_agents or run_sequential');
export const cursorInput = pageCursor('nextCursor');

export const taskInput = z.strictObject({
  role: z.string().describe('One of list_roles'),
  prompt: z.string().describe('What the agent is to do'),
  workingDirectory: z.string().optional().describe('Where it works, from the project root (the default)'),
  timeout_ms: z.int().min(1).max(2_147_483_647).optional().describe('Time limit in milliseconds'),
});

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
  response: z.string().nullable().describe('The whole report, where it gave one'),
  duration_ms: z.number(),
  source: z.enum(['auto', 'report']),
  timestamp: z.string(),
  truncated: z.literal(true).optional().describe('Long texts and lists are cut here; get_agent_status has the whole'),
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
});

/** A group with its agents counted and their use added up. */
export const groupSchema = z.object({
  groupId: z.string(),
  description: z.string(),
  mode: z.string().nullable(),
  status: z.string(),
  createdAt: z.string(),
  agents: z.number(),
  counts: z.record(z.enum(statuses), z.number()),
  toolCallCount: z.number(),
  usage: usageSchema.describe('Of all that said how much they used'),
  startedAt: z.string().nullable(),
  endedAt: z.string().nullable().describe('Null while one of them goes on'),
  currentStageIndex: z.number().nullable(),
  totalStages: z.number().nullable(),
});

/** Arrays of a state may be read only; an answer's type does not say so. */
export function mutable<T>(value: T): { -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] } {
  return value as never;
}
