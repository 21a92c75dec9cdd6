import * as z from 'zod';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { configurationFile } from '../../kernel/trust.ts';
import { permissions } from '../agent-cli.ts';
import { readRoleFile, writeRole } from '../role/role-file.ts';
import type { RoleEntry } from '../role/roles.ts';
import { rolesSchema } from '../settings-schema.ts';
import { described, words } from '../words.ts';

export const saveRole = defineOperation({
  name: 'save_role',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Write a role to the configuration file. It takes effect once a person trusts the file (trust).'),
  example: '--role-id code-review --model opus --digest …',
  input: z.strictObject({
    role_id: described(z.string(), 'Role ID; a new role is added'),
    name: described(z.string().optional(), 'Display name'),
    description: described(z.string().optional(), 'Purpose'),
    cli: described(z.string().optional(), 'Program: claude, codex … or command'),
    model: described(z.string().optional(), 'Model; "default": the program’s default'),
    command: described(z.array(z.string()).optional(), 'The program and its arguments, for cli command'),
    system_prompt: described(z.string().optional(), 'System prompt for its agents'),
    permissions: described(
      z.enum(permissions).optional(),
      'read: read only; edit: change files; full: run commands too',
    ),
    digest: described(z.string(), 'Digest from describe_role; fails if the file has changed since'),
  }),
  output: z.object({ role_id: z.string(), file: described(z.string(), 'The file that a person must trust now') }),
  async run(context, { role_id: id, system_prompt: systemPrompt, command = [], digest, ...given }) {
    const before = readRoleFile(context.project).roles.find((one) => one.id === id);
    const role = removeEmptyFields({
      ...before,
      ...given,
      id,
      systemPrompt,
      command: command.length > 0 ? command : undefined,
    });
    const found = rolesSchema.safeParse([role]);
    if (!found.success) {
      const errors = found.error.issues.map((issue) => ({
        path: `/${issue.path.slice(1).join('/')}`,
        message: issue.message,
      }));
      throw kernelProblem.VALIDATION_ERROR({ errors }, { validation_errors: errors });
    }
    writeRole(context.project, role, digest);
    await context.store.commit([], [entry(context, `role:${id}`, 'role.saved', { file: configurationFile })]);
    return { role_id: id, file: configurationFile };
  },
});

/** Removes empty fields, so that they do not hide a default. */
function removeEmptyFields(role: RoleEntry): RoleEntry {
  return Object.fromEntries(
    Object.entries(role).filter(([, value]) => value !== undefined && value !== ''),
  ) as unknown as RoleEntry;
}
