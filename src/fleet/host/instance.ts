import { resolve } from 'node:path';
import type { SandboxSetting } from '../../sandbox/port.ts';
import { changeSettings } from '../../change/index.ts';
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

/** A program that a Runner starts: it runs under its own host, outside any group. */
export interface Instance {
  /** The role under which it is listed, and the beginning of its id. */
  readonly name: string;
  /** The name of an agent CLI; `command` runs `command`. */
  readonly cli: string;
  readonly command?: readonly string[];
  readonly model?: string;
  readonly prompt: string;
  readonly systemPrompt?: string;
  readonly workingDirectory?: string;
  readonly timeoutMs?: number;
  readonly toolsets: readonly Toolset[];
  /** The sandbox setting of the project in which it works. */
  readonly sandbox: SandboxSetting;
  /** The identity of its connection to us; by default its own id. */
  readonly identity?: string;
  /** Callbacks of another module in the host's commits. */
  readonly callbacks?: Callbacks;
  /** Variables that are stored nowhere, so its host cannot be started a second time. */
  readonly secrets?: Readonly<Record<string, string>>;
  readonly runId?: string;
  /** The change in whose tree it works. */
  readonly change?: string | undefined;
}

/**
 * Records an instance, with the caller's `writes` and `entries` in the same commit, and starts its host. Undefined if
 * one of the caller's `writes` conflicts.
 */
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
          ...(instance.change !== undefined && { change: instance.change, setup: changeSettings.of(context).worktree }),
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
      if (!outcome.done) return outcome.conflict === 0 ? again : undefined; // Write 0 conflicts if the id is taken; the others are the caller's.
      await launch(context, id, instance.secrets);
      return id;
    },
    () => kernelProblem.STORE_BUSY({ what: 'agentId' }),
  );
}
