import { createHash } from 'node:crypto';
import { configurationNote } from '../../kernel/trust.ts';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import type { Row } from '../../kernel/store/store.ts';
import { parsed } from '../../kernel/store/row.ts';
import { findAgentCli, programNames } from '../agents.ts';
import { thisMachine } from '../../machine/this-machine.ts';
import { findFirst } from '../../machine/find-program.ts';
import { type Role, resolveRoles } from './roles.ts';
import { phrase, problem } from '../problem.ts';
import { fleetSettings } from '../settings.ts';
import { inLang } from '../../kernel/text/text.ts';

export interface Check {
  readonly status: 'passed' | 'failed';
  readonly message: string | null;
  readonly checkedAt: string;
}

/** How long a check stays valid. A failure expires soon: the missing program may have been installed. */
const passedMs = 24 * 3600 * 1000;
const failedMs = 10 * 60 * 1000;

/** A digest of program and model: a check of others says nothing about this role. */
function digestOf(role: Role): string {
  return createHash('sha256')
    .update(JSON.stringify([role.cli, role.model, role.command ?? null]))
    .digest('hex')
    .slice(0, 16);
}

/** Returns every role with the last checks on this machine, null for those that were never made or are too old. */
export async function readHealth(context: Context) {
  const [rows = []] = await context.store.read([
    {
      sql: 'select role, digest, health, model, at from fleet_check where project = :project and machine = :machine',
      args: { project: context.project.key, machine: thisMachine() },
    },
  ]);
  const { roles } = await fleetSettings(context);
  return resolveRoles(roles).map((role) => {
    const row = rows.find((one) => one['role'] === role.id && one['digest'] === digestOf(role));
    const healthCheck = readFreshCheck(context, row, 'health');
    const modelValidation = readFreshCheck(context, row, 'model');
    const isHere = locateProgram(context, role) !== undefined;
    // A program that was missing may be installed by now; checking is cheap.
    const wasMissing = healthCheck?.status === 'failed' && healthCheck.message === missingProgram(context, role);
    const failed = [healthCheck, modelValidation].some((one) => one?.status === 'failed');
    return {
      role,
      available: isHere && (wasMissing || !failed),
      healthCheck: isHere
        ? wasMissing
          ? null
          : healthCheck
        : { status: 'failed' as const, message: missingProgram(context, role), checkedAt: context.now().toISOString() },
      modelValidation,
    };
  });
}

/** Returns the public fields of every role. */
export async function listRolesWithHealth(context: Context) {
  return (await readHealth(context)).map(({ role, ...health }) => {
    const { id, name, cli, model, permissions, description = null } = role;
    return { id, name, description, cli, model, permissions, ...health };
  });
}

function readFreshCheck(context: Context, row: Row | undefined, name: string): Check | null {
  const check = row === undefined ? null : (parsed(row, name) as Check | null);
  if (check === null) return null;
  const age = context.now().getTime() - Date.parse(check.checkedAt);
  return age <= (check.status === 'passed' ? passedMs : failedMs) ? check : null;
}

/** Finds the role's program on this machine. */
export function locateProgram({ environment, project }: Context, role: Role): string | undefined {
  return findFirst(programNames(findAgentCli(role.cli), role.command), environment['PATH'] ?? '', project.root);
}

/** Says that the role's program is missing. */
export function missingProgram(context: Context, role: Role): string {
  const [program = ''] = programNames(findAgentCli(role.cli), role.command);
  return context.say(phrase.roleMissingProgram({ program }));
}

export function remedyOf(context: Context, role: Role): string {
  const { install } = findAgentCli(role.cli);
  return context.say((lang) => phrase.roleInstall({ command: inLang(install, lang) })(lang));
}

/** Returns the role; throws with a reason and a remedy if it cannot be used. */
export async function requireRole(context: Context, id: string): Promise<Role> {
  const all = await readHealth(context);
  const found = all.find((one) => one.role.id === id);
  if (found === undefined) {
    const note = configurationNote(context.project.configuration);
    throw problem.ROLE_NOT_FOUND({ role: id, known: all.map((one) => one.role.id), note });
  }
  if (!found.available)
    throw problem.ROLE_UNAVAILABLE({
      role: id,
      reason: found.healthCheck?.message ?? found.modelValidation?.message ?? '',
      remedy: remedyOf(context, found.role),
    });
  return found.role;
}

/** Stores the result of a check for every process on this machine. */
export async function recordCheck(
  context: Context,
  role: Role,
  found: { readonly health: Check | null; readonly model: Check | null },
): Promise<void> {
  const at = context.now().toISOString();
  await context.store.commit(
    [
      {
        sql: `insert into fleet_check (project, machine, role, digest, health, model, at)
          values (:project, :machine, :role, :digest, :health, :model, :at)
          on conflict (project, machine, role) do update set digest = excluded.digest, health = excluded.health,
            model = coalesce(excluded.model, case when fleet_check.digest = excluded.digest then fleet_check.model end), at = excluded.at`,
        args: {
          project: context.project.key,
          machine: thisMachine(),
          role: role.id,
          digest: digestOf(role),
          health: found.health === null ? null : JSON.stringify(found.health),
          model: found.model === null ? null : JSON.stringify(found.model),
          at,
        },
      },
    ],
    [
      entry(context, `role:${role.id}`, 'role.checked', {
        health: found.health?.status ?? null,
        model: found.model?.status ?? null,
      }),
    ],
  );
}
