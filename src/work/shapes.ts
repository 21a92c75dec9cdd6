import * as z from 'zod';
import { runStatuses } from '../gate/index.ts';
import { cursorInput as pageCursor } from '../kernel/store/page-input.ts';
import { priorities, statuses } from './task/task.ts';
import { rule } from '../kernel/text/rule.ts';
import { changeSchema } from '../change/index.ts';
import { described, words } from './words.ts';

export const success = z.literal(true);

export const cursorInput = pageCursor('next_cursor');
export const nextCursor = z.string().optional();

export const sessionToken = described(z.string(), 'What authenticate returned');
export const taskIdInput = described(z.string(), 'ID or number: 12');
export const keepInput = described(
  z.boolean().optional(),
  'Save the passkey for a Runner on this machine instead of showing it',
);
export const agentIdInput = described(z.string(), 'Which agent');
export const projectIdInput = described(z.string(), 'Which project');
export const idInput = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9_.-]{0,99}$/, rule(words('letters, digits, "_", "-" and ".", at most 100')));
export const newId = idInput.optional();
export const executionIdInput = described(z.string(), 'Which execution');

const longestText = 65_536;

/** A text that is shown in one line. */
export const lineInput = z.string().min(1).max(500);
/** A long text: at most 64 KB in UTF-8. */
export const longInput = z
  .string()
  .max(longestText)
  .refine((given) => Buffer.byteLength(given) <= longestText, rule(words('at most 64 KB')));
export const idsInput = z.array(z.string()).max(500);
export const labelsInput = z.array(lineInput).max(100);

export const statusSchema = z.enum(statuses);
export const prioritySchema = z.enum(priorities);
export const texts = z.array(z.string()).readonly();
export const manyTexts = z.union([z.array(longInput).max(100), longInput]);

export const projectSchema = z.object({
  project_id: z.string(),
  project_name: z.string(),
  working_directory: z.string(),
  status: z.string(),
  auto_start: z.boolean(),
  pool: z.boolean(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const agentSchema = z.object({
  agent_id: z.string(),
  agent_name: z.string(),
  role: z.string(),
  ai_type: z.string(),
  system_prompt: z.string(),
  status: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

export const taskNumber = described(z.number().nullable(), 'Its number within the project');

export const taskSchema = z.object({
  task_id: z.string(),
  project_id: z.string(),
  number: taskNumber,
  title: z.string(),
  description: z.string(),
  status: statusSchema,
  priority: prioritySchema,
  assignee_id: z.string().nullable(),
  parent_id: z.string().nullable(),
  depends_on: texts,
  labels: texts,
  acceptance: texts,
  process_id: z.string().nullable(),
  run_id: z.string().nullable(),
  claimed_by: described(z.string().nullable(), 'The agent whose live session works on it'),
  claimed_until: z.string().nullable(),
  summary: z.string().nullable(),
  reported: described(
    z.literal('success').nullable(),
    'success: its agent has reported; a person’s answer closes the task',
  ),
  attempts: described(z.number(), 'Attempts in a row that ended without a report'),
  change: described(changeSchema.optional(), 'The commit of what was made in the task’s own tree'),
  revision: z.number(),
  created_at: z.string(),
  updated_at: z.string(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
});

/** A short form of a task, for references from another task. */
export const linkSchema = z.object({
  task_id: z.string(),
  number: taskNumber,
  title: z.string(),
  status: statusSchema,
});

/** The current position of a task's run. */
export const taskRunSchema = z.object({
  run_id: z.string(),
  state: z.string(),
  is_final: z.boolean(),
  status: z.enum(runStatuses),
});

/** The filters that `list_tasks` and `list_cards` share. */
export const taskFilterInput = {
  project_id: described(z.string().optional(), 'Only of this project'),
  assignee_id: described(z.string().optional(), 'Only of this agent'),
  label: described(lineInput.optional(), 'Only with this label'),
  text: described(lineInput.optional(), 'Only with this text in the title or description'),
};

export const movesOutput = described(z.array(statusSchema).readonly(), 'The states that it can move to');

export const contextSchema = z.object({
  task_id: z.string(),
  progress: z.string().nullable(),
  findings: z.string().nullable(),
  blockers: z.string().nullable(),
  next_steps: z.string().nullable(),
  saved_by: z.string(),
  saved_at: z.string(),
});

export const handoffSchema = z.object({
  handoff_id: z.string(),
  task_id: z.string(),
  project_id: z.string(),
  from_agent_id: z.string(),
  to_agent_id: z.string().nullable(),
  summary: z.string(),
  context: z.string().nullable(),
  recommendations: z.string().nullable(),
  status: z.enum(['pending', 'accepted', 'withdrawn']),
  accepted_by: z.string().nullable(),
  accepted_at: z.string().nullable(),
  created_at: z.string(),
});

export const executionSchema = z.object({
  executionId: z.string(),
  taskId: z.string(),
  agentId: z.string(),
  status: z.enum(['running', 'completed', 'failed', 'error']),
  exitCode: z.number().nullable(),
  durationSeconds: z.number().nullable(),
  startedAt: z.string(),
  completedAt: z.string().nullable(),
});

export const executionDetailSchema = executionSchema.extend({ logFilePath: z.string().nullable() });

/** An entry of the journal. */
export const entrySchema = z.object({
  seq: z.number(),
  at: z.string(),
  actor: z.string(),
  subject: z.string(),
  kind: z.string(),
  data: z.unknown(),
});

/** Turns a single text into a list. */
export function listOf(given: string | readonly string[]): readonly string[] {
  return typeof given === 'string' ? [given] : given;
}
