import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { listRolesWithHealth } from '../role/listed.ts';
import { permissions } from '../agent-cli.ts';
import { described, words } from '../words.ts';

const checkSchema = z
  .object({ status: z.enum(['passed', 'failed']), message: z.string().nullable(), checkedAt: z.string() })
  .nullable();

export const listRoles = defineOperation({
  name: 'list_roles',
  toolsets: ['fleet'],
  effect: 'read',
  summary: words('The roles that agents can have, with the program and model of each and whether it can be used.'),
  example: '',
  input: z.strictObject({}),
  output: z.object({
    roles: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        cli: z.string(),
        model: z.string(),
        description: described(z.string().nullable(), 'What it is for, where the configuration says'),
        permissions: described(z.enum(permissions), 'read: looks only; edit: changes files; full: runs commands too'),
        available: z.boolean(),
        healthCheck: checkSchema,
        modelValidation: checkSchema,
      }),
    ),
  }),
  async run(context) {
    return { roles: [...(await listRolesWithHealth(context))] };
  },
});
