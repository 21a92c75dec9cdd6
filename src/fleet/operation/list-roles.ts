import * as z from 'zod';
import { defineOperation } from '../../kernel/operation.ts';
import { readHealth } from '../role/health.ts';

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
        available: z.boolean(),
        healthCheck: checkSchema,
        modelValidation: checkSchema,
      }),
    ),
  }),
  async run(context) {
    const all = await readHealth(context);
    return {
      roles: all.map(({ role, available, healthCheck, modelValidation }) => ({
        id: role.id,
        name: role.name,
        cli: role.cli,
        model: role.model,
        available,
        healthCheck,
        modelValidation,
      })),
    };
  },
});
