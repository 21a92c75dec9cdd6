import type { Context } from '../../kernel/context.ts';
import { messageOf } from '../../base/failure.ts';
import { isProblem } from '../../kernel/problem.ts';
import {
  type Attempt,
  type Instance,
  type Pair,
  type PairId,
  type RunnerHands,
  type Waiting,
  instancesOf,
  startPair,
  stopInstances,
} from './start.ts';
import { type AgentState, agentState, fleetContext, isLive, readAgentRow, settle } from '../../fleet/index.ts';

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

export interface Ended extends Instance {
  readonly status: AgentState['status'];
  readonly exitCode: number | null;
  readonly elapsed_ms: number;
}

export interface Waits extends PairId {
  readonly waits: Waiting;
}

export interface Round {
  readonly started: readonly Instance[];
  /** Of this Runner, before the round. */
  readonly running: readonly Instance[];
  /** Since the round before. */
  readonly ended: readonly Ended[];
  /** Pairs that have something to do and were not started. */
  readonly waiting: readonly Waits[];
}

interface Project {
  readonly project_id: string;
  readonly working_directory: string;
  readonly agents: readonly string[];
}

/** Nothing runs, and what there is to do waits for something that only a person can mend. */
export function isIdle({ started, running, waiting }: Round): boolean {
  return started.length + running.length === 0 && waiting.every(({ waits }) => waits.for === 'person');
}

/**
 * Asks who should run and starts them. It knows nothing of tasks. Whom it started lives in a host of its own: a Runner that
 * dies leaves them, and the next one finds them by their claims.
 */
export class Runner {
  private questions: Questions | undefined;
  /** Where the round begins, so that no pair starves when there is little room. */
  private turn = 0;
  private known: readonly Instance[] = [];

  constructor(private readonly options: RunnerOptions) {}

  async poll(): Promise<Round> {
    const { context, hands, maxConcurrent } = this.options;
    await settle(fleetContext(context)); // Instances whose host died free their pairs.
    const running = await instancesOf(context, hands);
    const { ended, coming } = await this.missing(running);
    let room = maxConcurrent - running.length;
    const pairs = await this.pairs();
    const started: Instance[] = [];
    const waiting: Waits[] = [];
    for (let index = 0; index < pairs.length && !context.signal.aborted; index++) {
      const { project, agentId } = pairs[(this.turn + index) % pairs.length]!;
      const answer = await this.ask('should_start', { agent_id: agentId, project_id: project.project_id });
      const of = { agentId, projectId: project.project_id };
      const { reason } = answer;
      if (typeof reason === 'string') waiting.push({ ...of, waits: { for: 'person', reason } });
      if (answer['should_start'] !== true) continue;
      const attempt =
        room <= 0
          ? { waits: { for: 'room' as const } }
          : await this.start({ ...of, folder: project.working_directory, aiType: String(answer['ai_type']) });
      if ('waits' in attempt) {
        waiting.push({ ...of, ...attempt });
        continue;
      }
      room -= 1;
      started.push({ ...of, instance: attempt.instance });
    }
    this.turn = pairs.length === 0 ? 0 : (this.turn + Math.max(1, started.length)) % pairs.length;
    this.known = [...running, ...coming, ...started];
    return { started, running, ended, waiting };
  }

  /** Until the signal aborts or `told` has heard enough. A round that fails is tried again: servers and databases come back. */
  async run(
    signal: AbortSignal,
    told: (round: Round | { readonly failed: unknown }) => Promise<boolean>,
  ): Promise<void> {
    while (!signal.aborted) {
      const round = await this.poll().catch(async (error: unknown) => {
        await this.disconnect();
        return { failed: error };
      });
      if (await told(round)) return;
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

  private async start(pair: Pair): Promise<Attempt> {
    const { context, hands } = this.options;
    try {
      return await startPair(context, hands, pair);
    } catch (error) {
      // One project that cannot be used must not keep the others waiting.
      const reason = isProblem(error) ? error.in(context.lang) : messageOf(error);
      return { waits: { for: 'person', reason } };
    }
  }

  /** Of those that were known before: who has ended since, and whose host has only not said yet that it is there. */
  private async missing(running: readonly Instance[]) {
    const { context } = this.options;
    const gone = this.known.filter((one) => !running.some(({ instance }) => instance === one.instance));
    const ended: Ended[] = [];
    const coming: Instance[] = [];
    for (const one of gone) {
      const row = await readAgentRow(context, one.instance);
      if (row === undefined) continue;
      const { status, exitCode, elapsed_ms } = agentState(row, context.now());
      if (isLive(status)) coming.push(one);
      else ended.push({ ...one, status, exitCode, elapsed_ms });
    }
    return { ended, coming };
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
