import { resolve } from 'node:path';
import type { SandboxSetting } from '../../sandbox/port.ts';
import type { Context } from '../../kernel/context.ts';
import { entry } from '../../kernel/store/journal.ts';
import { problem as kernelProblem } from '../../kernel/problem.ts';
import { again, retry } from '../../kernel/store/retry.ts';
import type { Entry, Write } from '../../kernel/store/store.ts';
import type { Toolset } from '../../kernel/toolset.ts';
import { agentIdFor, insertAgent } from '../plan/insert-agent.ts';
import type { Callbacks } from './spec.ts';
import { refusePaused } from '../plan/pause.ts';
import { launch } from '../plan/submit.ts';
import { settings } from '../settings.ts';

/** A program to run under a host of its own, outside any group: what a Runner starts. */
export interface Instance {
  /** What it is listed as, and how its id begins. */
  readonly name: string;
  /** An agent CLI by name; `command` runs `command`. */
  readonly cli: string;
  readonly command?: readonly string[];
  readonly model?: string;
  readonly prompt: string;
  readonly systemPrompt?: string;
  readonly workingDirectory?: string;
  readonly timeoutMs?: number;
  readonly toolsets: readonly Toolset[];
  /** As the project has it in which it works. */
  readonly sandbox: SandboxSetting;
  /** Whose name its connection back to us bears; its own id where absent. */
  readonly identity?: string;
  /** Another module's part in the host's commits: claim with the start, renew with each beat, release at the end. */
  readonly callbacks?: Callbacks;
  /** Variables that only its process gets and that are kept nowhere. A host that does not come up is then not started again. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly runId?: string;
}

/** Records it (with `writes` and `entries` of the caller in the same commit) and starts its host; undefined on a conflict with `writes`. */
export async function startInstance(
  context: Context,
  instance: Instance,
  writes: readonly Write[] = [],
  entries: readonly Entry[] = [],
): Promise<string | undefined> {
  await refusePaused(context);
  const { fleet } = settings.of(context);
  return retry(
    async () => {
      const id = agentIdFor(context, instance.name, new Set());
      const insert = insertAgent(context, {
        id,
        group: null,
        plan: null,
        stage: 0,
        role: instance.name,
        cli: instance.cli,
        model: instance.model ?? 'default',
        prompt: instance.prompt,
        folder: resolve(context.project.tree, instance.workingDirectory ?? '.'),
        timeoutMs: instance.timeoutMs ?? fleet.defaultTimeoutMs,
        started: true,
        at: context.now().toISOString(),
        spec: {
          permissions: 'full',
          toolsets: instance.toolsets,
          actorRole: 'agent',
          isolation: fleet.isolation,
          worktrees: fleet.worktrees,
          sandbox: instance.sandbox,
          place: context.project,
          ...(instance.command !== undefined && { command: instance.command }),
          ...(instance.systemPrompt !== undefined && { systemPrompt: instance.systemPrompt }),
          ...(instance.identity !== undefined && { identity: instance.identity }),
          ...(instance.callbacks !== undefined && { callbacks: instance.callbacks }),
          ...(instance.runId !== undefined && { runId: instance.runId }),
          ...(instance.secrets !== undefined && { secrets: true as const }),
        },
      });
      const outcome = await context.store.commit(
        [insert, ...writes],
        [entry(context, id, 'agent.created', { role: instance.name, instance: true }), ...entries],
      );
      if (!outcome.done) return outcome.conflict === 0 ? again : undefined; // Its id was taken, or a write of the caller missed.
      await launch(context, id, instance.secrets);
      return id;
    },
    () => kernelProblem.STORE_BUSY({ what: 'agentId' }),
  );
}
