import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { listedRoles } from '../role/listed.ts';
import { permissions } from '../agent-cli.ts';

const checkSchema = z
  .object({ status: z.enum(['passed', 'failed']), message: z.string().nullable(), checkedAt: z.string() })
  .nullable();

export const listRoles = defineOperation({
  name: 'list_roles',
  toolsets: ['fleet'],
  effect: 'read',
  summary: 'The roles that agents can have, with the program and model of each and whether it can be used.',
  example: '',
  input: z.strictObject({}),
  output: z.object({
    roles: z.array(
      z.object({
        id: z.string(),
        name: z.string(),
        cli: z.string(),
        model: z.string(),
        description: z.string().nullable().describe('What it is for, where the configuration says'),
        permissions: z.enum(permissions).describe('read: looks only; edit: changes files; full: runs commands too'),
        available: z.boolean(),
        healthCheck: checkSchema,
        modelValidation: checkSchema,
      }),
    ),
  }),
  async run(context) {
    return { roles: [...(await listedRoles(context))] };
  },
});
