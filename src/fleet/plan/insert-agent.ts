import type { Context } from '../../kernel/context.ts';
import type { Write } from '../../kernel/store/store.ts';
import { thisMachine } from '../../machine/this-machine.ts';
import type { Spec } from '../host/spec.ts';

/** Creates an id `{role}-{unix s}-{4 hex}`. If the store has it already, the commit conflicts and is retried. */
export function agentIdFor(context: Pick<Context, 'now' | 'newId'>, role: string, taken: ReadonlySet<string>): string {
  for (;;) {
    const id = `${role}-${Math.floor(context.now().getTime() / 1000)}-${context.newId('').slice(-4)}`;
    if (!taken.has(id)) return id;
  }
}

export interface NewAgent {
  readonly id: string;
  readonly group: string | null;
  readonly plan: string | null;
  readonly stage: number;
  readonly role: string;
  readonly cli: string;
  readonly model: string;
  readonly prompt: string;
  readonly folder: string;
  readonly timeoutMs: number;
  readonly started: boolean;
  readonly spec: Spec;
  readonly at: string;
}

export function insertAgent(context: Context, agent: NewAgent): Write {
  return {
    sql: `insert into fleet_agent (id, ord, project, group_id, plan_id, stage, role, cli, model, status, prompt, working_directory,
        timeout_ms, spec, machine, started, claimed_at, attempts, reaped, beat, tool_calls, created_at, revision)
      values (:id, :ord, :project, :group, :plan, :stage, :role, :cli, :model, 'queued', :prompt, :folder,
        :timeout, :spec, :machine, :started, :claimed, 1, 1, 0, 0, :at, 0)`,
    args: {
      id: agent.id,
      ord: context.newId(''),
      project: context.project.key,
      group: agent.group,
      plan: agent.plan,
      stage: agent.stage,
      role: agent.role,
      cli: agent.cli,
      model: agent.model,
      prompt: agent.prompt,
      folder: agent.folder,
      timeout: agent.timeoutMs,
      spec: JSON.stringify(agent.spec),
      machine: thisMachine(),
      started: agent.started ? 1 : 0,
      claimed: agent.started ? agent.at : null,
      at: agent.at,
    },
    rows: 1,
  };
}
