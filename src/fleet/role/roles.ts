import type { SandboxMode } from '../../sandbox/port.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import type { Permissions } from '../agent-cli.ts';
import { namesProgram } from '../agents.ts';

/** A trade that an agent can have: which program, which model, what it is told and what it may do. */
export interface Role {
  readonly id: string;
  readonly name: string;
  /** What it is for, for whoever chooses. */
  readonly description?: string;
  readonly cli: string;
  /** `default`: whatever the program takes by itself. */
  readonly model: string;
  readonly command?: readonly string[];
  readonly systemPrompt?: string;
  /** Absent for a `command` whose answer to one is unknown. */
  readonly healthCheckPrompt?: string;
  readonly toolsets: readonly Toolset[];
  readonly permissions: Permissions;
  readonly isolation?: 'none' | 'worktree';
  /** Absent: as the configuration has it. */
  readonly sandbox?: SandboxMode;
}

/** A role as the configuration has it. */
export interface RoleEntry {
  readonly id: string;
  readonly name?: string | undefined;
  readonly description?: string | undefined;
  readonly cli?: string | undefined;
  readonly model?: string | undefined;
  readonly command?: readonly string[] | undefined;
  readonly systemPrompt?: string | undefined;
  readonly healthCheckPrompt?: string | undefined;
  readonly toolsets?: readonly Toolset[] | undefined;
  readonly permissions?: Permissions | undefined;
  readonly isolation?: 'none' | 'worktree' | undefined;
  readonly sandbox?: SandboxMode | undefined;
  /** Processes may take it for a role of agents; without it such a role is a person's. */
  readonly kind?: 'agent' | undefined;
}

const usualToolsets: readonly Toolset[] = ['gate', 'upstream', 'fleet', 'work', 'phase'];
const usualHealthCheck = 'This is a health check. Answer with the single word OK and do nothing else.';

const defaults: readonly RoleEntry[] = [
  {
    id: 'impl-code',
    name: 'Implementer',
    systemPrompt:
      'You implement a change. Read what is there before you write, keep to the style of the code around, run what tests there are, and report which files you changed and why.',
  },
  {
    id: 'code-review',
    name: 'Code reviewer',
    permissions: 'read',
    systemPrompt:
      'You review code. Do not change files. Report each finding with file, line, what is wrong, what it leads to, and how to mend it; say so plainly where you found nothing.',
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

/** The configuration's roles, then the defaults that it does not replace. */
export function resolveRoles(configured: readonly RoleEntry[]): readonly Role[] {
  const kept = defaults.filter((one) => !configured.some((other) => other.id === one.id));
  const own = configured.map((one) => ({ ...defaults.find((other) => other.id === one.id), ...given(one) }));
  return [...own, ...kept].map(complete);
}

/** Without the keys that were left out: they must not hide a default. */
function given(one: RoleEntry): RoleEntry {
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
