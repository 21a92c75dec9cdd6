import type { Context } from '../../kernel/context.ts';
import { messageOf } from '../../kernel/failure.ts';
import type { RunnerHands } from './start.ts';
import { countInstances, startPair, stopInstances } from './start.ts';
import { fleetContext, settle } from '../../fleet/index.ts';

/** The three questions, asked of a server over MCP. */
export interface Questions {
  call(tool: string, input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

export interface RunnerOptions {
  readonly context: Context;
  readonly hands: RunnerHands;
  connect(): Promise<Questions>;
  readonly pollIntervalMs: number;
  readonly maxConcurrent: number;
}

export interface Started {
  readonly agentId: string;
  readonly projectId: string;
  /** The instance, as `list_agents` shows it. */
  readonly instance: string;
}

interface Project {
  readonly project_id: string;
  readonly working_directory: string;
  readonly agents: readonly string[];
}

/**
 * Asks who should run and starts them. It knows nothing of tasks. Whom it started lives in a host of its own: a Runner that
 * dies leaves them, and the next one finds them by their claims.
 */
export class Runner {
  private questions: Questions | undefined;
  /** Where the round begins, so that no pair starves when there is little room. */
  private turn = 0;

  constructor(private readonly options: RunnerOptions) {}

  /** One round. Returns whom it started. */
  async poll(): Promise<readonly Started[]> {
    const { context, hands, maxConcurrent } = this.options;
    await settle(fleetContext(context)); // Instances whose host died free their pairs.
    let room = maxConcurrent - (await countInstances(context, hands));
    if (room <= 0) return [];
    const pairs = await this.pairs();
    const started: Started[] = [];
    for (let index = 0; index < pairs.length && room > 0 && !context.signal.aborted; index++) {
      const { project, agentId } = pairs[(this.turn + index) % pairs.length]!;
      const answer = await this.ask('should_start', { agent_id: agentId, project_id: project.project_id });
      if (answer['should_start'] !== true) continue;
      const pair = { agentId, projectId: project.project_id };
      const instance = await startPair(context, hands, {
        ...pair,
        folder: project.working_directory,
        aiType: String(answer['ai_type']),
      }).catch((error: unknown) => {
        // One project that cannot be used must not keep the others waiting.
        context.log.error('not started', { ...pair, reason: messageOf(error) });
        return undefined;
      });
      if (instance === undefined) continue;
      room -= 1;
      started.push({ ...pair, instance });
      context.log.info('started', { ...pair, instance });
    }
    this.turn = pairs.length === 0 ? 0 : (this.turn + Math.max(1, started.length)) % pairs.length;
    return started;
  }

  /** Until the signal aborts. A round that fails is tried again: servers and databases come back. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.poll().catch(async (error: unknown) => {
        this.options.context.log.warn('the round failed', {
          reason: messageOf(error),
        });
        await this.disconnect();
      });
      await pause(this.options.pollIntervalMs, signal);
    }
  }

  /** Ends every instance that this Runner, or one before it in the same place, has running. */
  stopInstances(): Promise<number> {
    return stopInstances(this.options.context, this.options.hands);
  }

  async disconnect(): Promise<void> {
    const { questions } = this;
    this.questions = undefined;
    await questions?.close().catch(() => undefined); // It is gone already.
  }

  private async pairs(): Promise<readonly { project: Project; agentId: string }[]> {
    const health = await this.ask('health_check', {});
    if (health['status'] !== 'ok') throw new Error('the server is not well');
    const projects: Project[] = [];
    let cursor: unknown;
    do {
      const page = await this.ask('list_active_projects_with_agents', cursor === undefined ? {} : { cursor });
      projects.push(...(page['projects'] as Project[]));
      cursor = page['next_cursor'];
    } while (cursor !== undefined);
    return projects.flatMap((project) => project.agents.map((agentId) => ({ project, agentId })));
  }

  private async ask(tool: string, input: Readonly<Record<string, unknown>>) {
    this.questions ??= await this.options.connect();
    return this.questions.call(tool, input);
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = setTimeout(done, ms);
    function done() {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    }
    signal.addEventListener('abort', done);
  });
}
