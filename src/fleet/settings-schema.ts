import * as z from 'zod';
import { sandboxModes } from '../sandbox/port.ts';
import { toolsets } from '../kernel/toolset.ts';
import { agents, findApplication, namesProgram } from './agents.ts';
import { permissions } from './agent-cli.ts';
import { rule } from '../kernel/text/rule.ts';
import { words } from './words.ts';

const notStarted = rule(words('only a person can start this application; a role must name an agent CLI'));

const role = z
  .strictObject({
    id: z.string().regex(/^[A-Za-z0-9][A-Za-z0-9_-]*$/, rule(words('letters, digits, "-" and "_"'))),
    name: z.string().optional(),
    description: z.string().optional(),
    cli: z
      .string()
      .refine((one) => findApplication(one) === undefined, { error: notStarted, abort: true })
      .pipe(z.enum(agents.map((one) => one.id)))
      .optional(),
    model: z.string().optional(),
    command: z.array(z.string()).min(1).optional(),
    systemPrompt: z.string().optional(),
    healthCheckPrompt: z.string().optional(),
    toolsets: z.array(z.enum(toolsets).exclude(['admin'])).optional(),
    permissions: z.enum(permissions).optional(),
    isolation: z.enum(['none', 'worktree']).optional(),
    sandbox: z.enum(sandboxModes).optional(),
    kind: z.literal('agent').optional(),
  })
  .refine(
    (one) => namesProgram(one.cli) === (one.command !== undefined),
    rule(words('cli: command and command: […] go together')),
  );

export const rolesSchema = z.array(role);
