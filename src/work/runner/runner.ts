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
  blockSpentTasks,
  instancesOf,
  startPair,
  stopInstances,
} from './start.ts';
import { keepDecisions } from '../../gate/index.ts';
import { removeEmptyTrees } from '../task/task-tree.ts';
import type { StuckTasks } from '../task/stuck.ts';
import { type AgentState, agentState, fleetContext, isLive, readAgentRow, settle } from '../../fleet/index.ts';

/** An MCP connection for the Runner's calls: health_check, list_active_projects_with_agents, should_start, list_waits. */
export interface RunnerConnection {
  call(tool: string, input: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  close(): Promise<void>;
}

export interface RunnerOptions {
  readonly context: Context;
  readonly hands: RunnerHands;
  connect(): Promise<RunnerConnection>;
  readonly pollIntervalMs: number;
  readonly maxConcurrent: number;
}

export interface EndedInstance extends Instance {
  readonly status: AgentState['status'];
  readonly exitCode: number | null;
  readonly elapsed_ms: number;
}

export interface WaitingPair extends PairId {
  readonly waits: Waiting;
}

/** The parts of the answer of list_waits that the Runner reads. */
interface ListedWaits {
  readonly waits: readonly { readonly agent_id: string; readonly project_id: string; readonly title: string }[];
  readonly stuck: StuckTasks;
}

export interface RunnerRound {
  readonly started: readonly Instance[];
  /** Instances of this Runner that ran before the round. */
  readonly running: readonly Instance[];
  /** Instances that ended since the previous round. */
  readonly ended: readonly EndedInstance[];
  /** Pairs that have work and were not started. */
  readonly waiting: readonly WaitingPair[];
  readonly stuck: StuckTasks;
}

interface Project {
  readonly project_id: string;
  readonly working_directory: string;
  readonly agents: readonly string[];
}

/** Reports whether nothing runs and all waiting work needs a person. */
export function isIdle({ started, running, waiting }: RunnerRound): boolean {
  const needsPerson = waiting.every(({ waits }) => waits.for === 'person' || waits.for === 'tree');
  return started.length + running.length === 0 && needsPerson;
}

/**
 * Asks the server which agents should run and starts them. It knows nothing of tasks. Each instance lives in a host of its
 * own, so it survives the Runner; the next Runner finds it by its claim.
 */
export class Runner {
  private questions: RunnerConnection | undefined;
  /** Index of the pair that the next round starts with, so that no pair starves at `maxConcurrent`. */
  private turn = 0;
  private known: readonly Instance[] = [];

  constructor(private readonly options: RunnerOptions) {}

  async poll(): Promise<RunnerRound> {
    const { context, hands, maxConcurrent } = this.options;
    await settle(fleetContext(context)); // Frees the pairs of instances whose host died.
    await blockSpentTasks(context);
    await removeEmptyTrees(context);
    const running = await instancesOf(context, hands);
    const { ended, coming } = await this.splitMissing(running);
    let room = maxConcurrent - running.length;
    const pairs = await this.pairs();
    const started: Instance[] = [];
    const waiting: WaitingPair[] = [];
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
      started.push({ ...of, ...attempt });
    }
    this.turn = pairs.length === 0 ? 0 : (this.turn + Math.max(1, started.length)) % pairs.length;
    this.known = [...running, ...coming, ...started];
    const { waits, stuck } = (await this.ask('list_waits', {})) as unknown as ListedWaits;
    const named = waiting.map(({ waits: why, ...of }) => {
      const found = waits.find((one) => one.agent_id === of.agentId && one.project_id === of.projectId);
      return { ...of, waits: 'reason' in why ? { task: found?.title, ...why } : why };
    });
    return { started, running, ended, waiting: named, stuck };
  }

  /** Polls until the signal aborts or `report` returns true. Retries a failed round: servers and databases come back. */
  async run(
    signal: AbortSignal,
    report: (round: RunnerRound | { readonly failed: unknown }) => Promise<boolean>,
  ): Promise<void> {
    const leaveDecisions = keepDecisions(this.options.context);
    try {
      while (!signal.aborted) {
        const round = await this.poll().catch(async (error: unknown) => {
          await this.disconnect();
          return { failed: error };
        });
        if (await report(round)) return;
        await pause(this.options.pollIntervalMs, signal);
      }
    } finally {
      leaveDecisions();
    }
  }

  /** Ends every running instance of this Runner and of earlier Runners in the same place. */
  stopInstances(): Promise<number> {
    return stopInstances(this.options.context, this.options.hands);
  }

  async disconnect(): Promise<void> {
    const { questions } = this;
    this.questions = undefined;
    await questions?.close().catch(() => undefined); // The connection is closed already.
  }

  private async start(pair: Pair): Promise<Attempt> {
    const { context, hands } = this.options;
    try {
      return await startPair(context, hands, pair);
    } catch (error) {
      // One broken project must not hold up the others.
      const reason = isProblem(error) ? error.in(context.lang) : messageOf(error);
      return { waits: { for: 'person', reason } };
    }
  }

  /** Splits the known instances that are not running into those that ended and those whose host is still starting. */
  private async splitMissing(running: readonly Instance[]) {
    const { context } = this.options;
    const gone = this.known.filter((one) => !running.some(({ instance }) => instance === one.instance));
    const ended: EndedInstance[] = [];
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
