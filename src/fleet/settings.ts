import * as z from 'zod';
import { toolsets } from '../kernel/toolset.ts';

const clis = ['claude', 'codex', 'cursor', 'gemini', 'opencode', 'copilot', 'qwen', 'command'] as const;

const role = z
  .strictObject({
    id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, 'letters, digits, "-" and "_"'),
    name: z.string().optional(),
    cli: z.enum(clis).optional(),
    model: z.string().optional(),
    command: z.array(z.string()).min(1).optional(),
    systemPrompt: z.string().optional(),
    healthCheckPrompt: z.string().optional(),
    toolsets: z.array(z.enum(toolsets).exclude(['admin'])).optional(),
    permissions: z.enum(['full', 'edit']).optional(),
    isolation: z.enum(['none', 'worktree']).optional(),
  })
  .refine(
    (one) => (one.cli === 'command') === (one.command !== undefined),
    'cli: command and command: […] go together',
  );

/** What `.sekisho/config.yaml` may say about this module: its keys at the top level. */
export const fleetSection = {
  fleet: z
    .strictObject({
      maxConcurrent: z.int().min(1).optional(),
      defaultTimeoutMs: z.int().min(1).optional(),
      isolation: z.enum(['none', 'worktree']).optional(),
      worktrees: z.enum(['keep', 'commit']).optional(),
      healthPrompts: z.boolean().optional(),
    })
    .optional(),
  roles: z.array(role).optional(),
} satisfies z.ZodRawShape;
