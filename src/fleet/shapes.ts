import * as z from 'zod';
import { cursorInput as pageCursor } from '../kernel/store/page-input.ts';
import { longestTimerMs } from '../kernel/setting.ts';
import { resultStatuses, statuses } from './view/state.ts';
import { told } from '../kernel/text/described.ts';

export const groupIdInput = told(z.string(), { en: 'From create_group', ja: 'create_group が返した ID' });
export const agentIdInput = told(z.string(), {
  en: 'From run_agents or run_sequential',
  ja: 'run_agents または run_sequential が返した ID',
});
export const cursorInput = pageCursor('nextCursor');

export const taskInput = z.strictObject({
  role: told(z.string(), { en: 'One of list_roles', ja: 'list_roles にあるロール' }),
  prompt: told(z.string(), { en: 'What the agent is to do', ja: 'エージェントにさせること' }),
  workingDirectory: told(z.string().optional(), {
    en: 'Where it works, from the project root (the default)',
    ja: '作業フォルダー (プロジェクトのルートから。既定はルート)',
  }),
  timeout_ms: told(z.int().min(1).max(longestTimerMs).optional(), {
    en: 'Time limit in milliseconds',
    ja: '制限時間 (ミリ秒)',
  }),
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
  response: told(z.string().nullable(), { en: 'The whole report, where it gave one', ja: '報告の全文 (ある場合)' }),
  duration_ms: z.number(),
  source: z.enum(['auto', 'report']),
  timestamp: z.string(),
  truncated: told(z.literal(true).optional(), {
    en: 'Long texts and lists are cut here; get_agent_status has the whole',
    ja: '長い文と一覧は省略されます。全体は get_agent_status で見られます',
  }),
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
  usage: told(usageSchema, { en: 'Of all that said how much they used', ja: '使用量を報告したものの合計' }),
  startedAt: z.string().nullable(),
  endedAt: told(z.string().nullable(), {
    en: 'Null while one of them goes on',
    ja: 'まだ終わっていないものがあれば null',
  }),
  currentStageIndex: z.number().nullable(),
  totalStages: z.number().nullable(),
});

/** Arrays of a state may be read only; an answer's type does not say so. */
export function mutable<T>(value: T): { -readonly [K in keyof T]: T[K] extends readonly (infer I)[] ? I[] : T[K] } {
  return value as never;
}
