import * as z from 'zod';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { defineOperation } from '../../kernel/operation.ts';
import { configurationFile } from '../../kernel/trust.ts';
import { phrase, problem } from '../problem.ts';
import { type RoleFile, readRoleFile, removeRole } from '../role/role-file.ts';
import { type RoleEntry, isDefaultRole, resolveRoles } from '../role/roles.ts';
import { described, words } from '../words.ts';

export const deleteRole = defineOperation({
  name: 'delete_role',
  toolsets: ['admin'],
  effect: 'write',
  summary: words('Remove a role from the configuration file. This takes effect once a person trusts the file (trust).'),
  example: '--role-id translator',
  input: z.strictObject({
    role_id: described(z.string(), 'Role ID'),
    digest: described(z.string().optional(), 'Digest from describe_role; fails if the file has changed since'),
  }),
  output: z.object({ role_id: z.string(), file: described(z.string(), 'The file that a person must trust now') }),
  async confirm(context, input) {
    const file = readRoleFile(context.project);
    const role = roleIn(file, input.role_id);
    // The digest ties the deletion to the file that was shown: a change before the confirmation is refused.
    return { text: await consequences(context, role), input: { digest: file.digest, ...input } };
  },
  async run(context, { role_id: id, digest }) {
    const file = readRoleFile(context.project);
    roleIn(file, id);
    removeRole(context.project, id, digest ?? file.digest);
    await context.store.commit([], [entry(context, `role:${id}`, 'role.deleted', { file: configurationFile })]);
    return { role_id: id, file: configurationFile };
  },
});

function roleIn({ roles }: RoleFile, id: string): RoleEntry {
  const role = roles.find((one) => one.id === id);
  if (role !== undefined) return role;
  if (isDefaultRole(id)) throw problem.ROLE_IS_DEFAULT({ role: id });
  throw problem.ROLE_NOT_FOUND({ role: id, known: resolveRoles(roles).map((one) => one.id), note: undefined });
}

/** Describes the consequences of deleting a role. Agents keep the definition they were requested with. */
async function consequences(context: Context, { id, kind }: RoleEntry): Promise<string> {
  const [[counted] = []] = await context.store.read([
    {
      sql: `select count(*) as live, count(distinct group_id) as groups from fleet_agent
        where project = :project and role = :role and status in ('queued', 'running')`,
      args: { project: context.project.key, role: id },
    },
  ]);
  const live = Number(counted?.['live']);
  return [
    phrase.deleteRole({ role: id, file: configurationFile }),
    ...(isDefaultRole(id) ? [phrase.deleteRoleUncovers()] : []),
    ...(live > 0 ? [phrase.deleteRoleLive({ live, groups: Number(counted?.['groups']) })] : []),
    ...(kind === 'agent' ? [phrase.deleteRoleOfAgents()] : []),
  ]
    .map((sentence) => context.say(sentence))
    .join('\n');
}
