import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { permissions } from '../agent-cli.ts';
import { agents } from '../agents.ts';
import { problem } from '../problem.ts';
import { readRoleFile } from '../role/role-file.ts';
import { resolveRoles } from '../role/roles.ts';
import { described, words } from '../words.ts';

export const describeRole = defineOperation({
  name: 'describe_role',
  toolsets: ['admin'],
  effect: 'read',
  summary: words('A role as it is in the configuration file now, for editing.'),
  example: '--role-id code-review',
  input: z.strictObject({ role_id: described(z.string(), 'Role ID') }),
  output: z.object({
    role_id: z.string(),
    name: z.string(),
    description: z.string(),
    cli: z.string(),
    model: z.string(),
    command: described(z.array(z.string()), 'The program and its arguments, if cli is "command"'),
    system_prompt: z.string(),
    permissions: z.enum(permissions),
    is_default: described(z.boolean(), 'Not in the file: it comes with Sekisho'),
    programs: described(z.array(z.string()), 'Possible values of cli'),
    digest: described(z.string(), 'Digest of the file; save_role needs it'),
  }),
  async run({ project }, { role_id: id }) {
    const { roles, digest } = readRoleFile(project);
    const all = resolveRoles(roles);
    const role = all.find((one) => one.id === id);
    if (role === undefined)
      throw problem.ROLE_NOT_FOUND({ role: id, known: all.map((one) => one.id), note: undefined });
    return {
      role_id: role.id,
      name: role.name,
      description: role.description ?? '',
      cli: role.cli,
      model: role.model,
      command: [...(role.command ?? [])],
      system_prompt: role.systemPrompt ?? '',
      permissions: role.permissions,
      is_default: !roles.some((one) => one.id === id),
      programs: agents.map((one) => one.id),
      digest,
    };
  },
});
