import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { listRolesWithHealth } from '../role/health.ts';
import { permissions } from '../agent-cli.ts';
import { described, words } from '../words.ts';

const checkSchema = z
  .object({ status: z.enum(['passed', 'failed']), message: z.string().nullable(), checkedAt: z.string() })
  .nullable();

export const listRoles = defineOperation({
  name: 'list_roles',
  toolsets: ['fleet'],
  effect: 'read',
  summary: words('Roles for agents, with the program and model of each and whether it is available.'),
  example: '',
  input: z.strictObject({}),
  output: z.object({
    roles: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        cli: z.string(),
        model: z.string(),
        description: described(z.string().nullable(), 'Purpose, if the configuration states it'),
        permissions: described(z.enum(permissions), 'read: read only; edit: change files; full: run commands too'),
        available: z.boolean(),
        healthCheck: checkSchema,
        modelValidation: checkSchema,
      }),
    ),
  }),
  async run(context) {
    return { roles: await listRolesWithHealth(context) };
  },
});
