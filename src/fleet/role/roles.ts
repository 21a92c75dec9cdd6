import type { SandboxMode } from '../../sandbox/port.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import type { Permissions } from '../agent-cli.ts';
import { namesProgram } from '../agents.ts';

/** A role for agents: its program, model, system prompt and permissions. */
export interface Role {
  readonly id: string;
  readonly name: string;
  /** The purpose, for people and models that choose a role. */
  readonly description?: string;
  readonly cli: string;
  /** `default`: the program's own default. */
  readonly model: string;
  readonly command?: readonly string[];
  readonly systemPrompt?: string;
  /** Absent for a `command`, whose answer to a prompt is unknown. */
  readonly healthCheckPrompt?: string;
  readonly toolsets: readonly Toolset[];
  readonly permissions: Permissions;
  readonly isolation?: 'none' | 'worktree';
  /** Absent: the setting of the configuration. */
  readonly sandbox?: SandboxMode;
}

/** A role in the configuration file. */
export type RoleEntry = Pick<Role, 'id'> & { readonly [F in Exclude<keyof Role, 'id'>]?: Role[F] | undefined } & {
  /** Marks the role as an agent's in processes; without it, a role in a process is a person's. */
  readonly kind?: 'agent' | undefined;
};

const usualToolsets: readonly Toolset[] = ['gate', 'upstream', 'fleet', 'work', 'phase'];
const usualHealthCheck = 'This is a health check. Answer with the single word OK and do nothing else.';

const defaults: readonly RoleEntry[] = [
  {
    id: 'impl-code',
    name: 'Implementer',
    systemPrompt:
      'You implement a change. Read the existing code before you write, follow its style, run the existing tests, and report which files you changed and why.',
  },
  {
    id: 'code-review',
    name: 'Code reviewer',
    permissions: 'read',
    systemPrompt:
      'You review code. Do not change files. Report each finding with file, line, what is wrong, its consequences, and how to fix it; if you found nothing, say so plainly.',
  },
  {
    id: 'text-review',
    name: 'Text reviewer',
    permissions: 'read',
    systemPrompt:
      'You review texts: documents, messages, comments. Report errors, unclear passages and claims that do not hold, each with its place and a better wording.',
  },
  {
    id: 'research',
    name: 'Researcher',
    permissions: 'read',
    systemPrompt:
      'You find things out. Separate what you have seen from what you conclude, name your sources, and report a short answer first.',
  },
  {
    id: 'impl-test',
    name: 'Test writer',
    systemPrompt:
      'You write and run tests for what you are pointed to. Test behaviour, not implementation; report which tests there are now, which fail, and why.',
  },
  {
    id: 'orchestrator',
    name: 'Orchestrator',
    systemPrompt:
      'You divide a task among other agents with the fleet tools (create_group, run_agents or run_sequential, wait_agent) and bring their results together. Do not do their work yourself.',
  },
];

export function isDefaultRole(id: string): boolean {
  return defaults.some((one) => one.id === id);
}

/** Returns the configured roles, then the defaults they do not replace. */
export function resolveRoles(configured: readonly RoleEntry[]): readonly Role[] {
  const kept = defaults.filter((one) => !configured.some((other) => other.id === one.id));
  const own = configured.map((one) => ({ ...defaults.find((other) => other.id === one.id), ...removeUndefined(one) }));
  return [...own, ...kept].map(complete);
}

/** Removes undefined keys, which would hide a default. */
function removeUndefined(one: RoleEntry): RoleEntry {
  return Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)) as unknown as RoleEntry;
}

function complete(one: RoleEntry): Role {
  return {
    id: one.id,
    name: one.name ?? one.id,
    cli: one.cli ?? 'claude',
    model: one.model ?? 'default',
    toolsets: one.toolsets ?? usualToolsets,
    permissions: one.permissions ?? 'full',
    ...(namesProgram(one.cli)
      ? one.healthCheckPrompt !== undefined && { healthCheckPrompt: one.healthCheckPrompt }
      : { healthCheckPrompt: one.healthCheckPrompt ?? usualHealthCheck }),
    ...(one.description !== undefined && { description: one.description }),
    ...(one.command !== undefined && { command: one.command }),
    ...(one.systemPrompt !== undefined && { systemPrompt: one.systemPrompt }),
    ...(one.isolation !== undefined && { isolation: one.isolation }),
    ...(one.sandbox !== undefined && { sandbox: one.sandbox }),
  };
}
