import type { Context } from '../../kernel/context.ts';
import { type Check, type RoleHealth, readHealth } from './health.ts';
import type { Permissions } from '../agent-cli.ts';

/** The public fields of a role. */
export interface ListedRole {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly cli: string;
  readonly model: string;
  readonly permissions: Permissions;
  readonly available: boolean;
  readonly healthCheck: Check | null;
  readonly modelValidation: Check | null;
}

export async function listRolesWithHealth(context: Context): Promise<readonly ListedRole[]> {
  return (await readHealth(context)).map(listed);
}

function listed({ role, available, healthCheck, modelValidation }: RoleHealth): ListedRole {
  const { id, name, cli, model, permissions, description = null } = role;
  return { id, name, description, cli, model, permissions, available, healthCheck, modelValidation };
}
