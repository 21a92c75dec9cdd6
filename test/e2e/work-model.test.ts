import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect } from 'vitest';
import { randomFrom } from '../setup/random.ts';
import { requires } from './requirements.ts';
import { type Answer, type Model, type Op, type TaskState, explained, visible } from './work-model.ts';
import { type Agent, type Office, openOffice } from './work-world.ts';
import { type World, bin, inOneWorld, node } from './world.ts';
import { databases } from '../setup/databases.ts';

/** The real trial, with any seed: `SEKISHO_MODEL_SEED=$RANDOM SEKISHO_MODEL_ROUNDS=2000 npx vitest run test/e2e/work-model.test.ts`. */
const rounds = Number(process.env['SEKISHO_MODEL_ROUNDS'] ?? 60);
const seed = Number(process.env['SEKISHO_MODEL_SEED'] ?? 1);
const killEvery = 12;
const doubtedRounds = 3;
const clients = 3;
const taskCount = 6;

interface Server {
  readonly client: Client;
  readonly pid: number;
}

/** A server of its own, so that it can be killed alone. */
async function openServer(world: World): Promise<Server> {
  const client = new Client({ name: 'model', version: '1' });
  const transport = new StdioClientTransport({
    command: node,
    args: [bin, 'mcp', '--toolsets', 'work'],
    cwd: world.project,
    env: { ...world.env },
    stderr: 'ignore',
  });
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0 };
}

class Trial {
  readonly tokens = new Map<string, string>();
  /** The latest hand-off of each task. */
  readonly handoffs = new Map<string, string>();
  /** All that what was seen so far leaves open: what a killed client did to a session does not show at once. */
  models: readonly Model[] = [{ tasks: new Map(), handoffs: new Map(), sessions: new Map() }];
  doubtful: readonly { readonly op: Op; readonly answer: undefined; readonly rounds: number }[] = [];
  kills = 0;

  constructor(
    readonly world: World,
    readonly office: Office,
    readonly project: string,
    readonly agents: readonly Agent[],
    readonly random: () => number,
  ) {}

  get model(): Model {
    return this.models[0]!;
  }

  one<T>(list: readonly T[]): T {
    return list[Math.floor(this.random() * list.length)]!;
  }

  op(): Op {
    const tasks = [...this.model.tasks.keys()];
    const task = this.one(tasks);
    const [agent, other] = this.random() < 0.5 ? this.agents : this.agents.toReversed();
    const kinds = ['move', 'move', 'move', 'assign', 'depend', 'reopen', 'login', 'take', 'take', 'report', 'logout'];
    const kind = this.one([...kinds, 'hand', 'accept']) as Op['kind'];
    switch (kind) {
      case 'move':
        return {
          kind,
          task,
          to: this.one(['todo', 'todo', 'in_progress', 'in_progress', 'done', 'blocked', 'cancelled']),
        };
      case 'assign':
        return { kind, task, agent: agent!.id };
      case 'depend':
        return { kind, task, on: tasks.filter((id) => id !== task && this.random() < 0.3) };
      case 'reopen':
        return { kind, task };
      case 'report':
        return { kind, agent: agent!.id, result: this.random() < 0.8 ? 'success' : 'failed' };
      case 'hand':
        return { kind, task, from: agent!.id, to: other!.id };
      case 'accept':
        return this.handoffs.has(task) ? { kind, task, agent: agent!.id } : { kind: 'reopen', task };
      case 'login':
      case 'take':
      case 'logout':
        return { kind, agent: agent!.id };
    }
  }

  /** Undefined where the server went away before it answered. */
  async perform(op: Op, server: Client): Promise<Answer | undefined> {
    const { person } = this.office;
    const call = (tool: string, input: object, client = server) => this.world.call(tool, input, client);
    const session_token = 'agent' in op ? (this.tokens.get(op.agent) ?? 'sess_none') : '';
    const asked = async () => {
      switch (op.kind) {
        case 'move':
          return call('update_task_status', { task_id: op.task, status: op.to });
        case 'assign':
          return call('assign_task', { task_id: op.task, assignee_id: op.agent });
        case 'depend':
          return call('update_task', { task_id: op.task, depends_on: op.on }, person);
        case 'reopen':
          return call('reopen_task', { task_id: op.task }, person);
        case 'login': {
          const { passkey } = this.agents.find(({ id }) => id === op.agent)!;
          // Over a connection that does nothing else: it would prove who acts.
          return this.world.call('authenticate', { agent_id: op.agent, passkey, project_id: this.project });
        }
        case 'take':
          return call('get_my_task', { session_token });
        case 'logout':
          return call('logout', { session_token });
        case 'report':
          return call('report_completed', { session_token, result: op.result });
        case 'hand':
          return call('create_handoff', { task_id: op.task, from_agent_id: op.from, to_agent_id: op.to, summary: 's' });
        case 'accept':
          return call('accept_handoff', { handoff_id: this.handoffs.get(op.task), agent_id: op.agent });
      }
    };
    const reply = await asked().catch(() => undefined);
    if (reply === undefined) return undefined;
    const code = reply.value['code'] as string | undefined;
    if (op.kind === 'login' && code === undefined) this.tokens.set(op.agent, reply.value['session_token'] as string);
    if (op.kind === 'take' && code === undefined)
      return { code, task: (reply.value['task']?.task_id as string | undefined) ?? null };
    return { code };
  }

  /** What is there. */
  async look(): Promise<string> {
    const { value: listed } = await this.world.call('list_tasks', { project_id: this.project, limit: 500 });
    const { value: open } = await this.world.call('get_pending_handoffs', { limit: 500 });
    const tasks = (listed['tasks'] as Record<string, any>[]).map((one): [string, TaskState] => [
      one['task_id'],
      { status: one['status'], assignee: one['assignee_id'], dependsOn: one['depends_on'], claim: one['claimed_by'] },
    ]);
    const handoffs = (open['handoffs'] as Record<string, any>[]).map((one) => {
      this.handoffs.set(one['task_id'], one['handoff_id']);
      return [one['task_id'], { from: one['from_agent_id'], to: one['to_agent_id'] }] as const;
    });
    return visible({ tasks: new Map(tasks), handoffs: new Map(handoffs) });
  }

  async round(servers: Server[], kill: boolean): Promise<void> {
    // At most one of a task's hand-offs and one of an agent's sessions at a time: the trial itself must know their ids.
    const ops: Op[] = [];
    for (let count = 1 + Math.floor(this.random() * clients); count > 0; count--) {
      const op = this.op();
      const clash = ops.some(
        (one) =>
          ('agent' in one && 'agent' in op && one.agent === op.agent) ||
          (['hand', 'accept'].includes(one.kind) && ['hand', 'accept'].includes(op.kind)),
      );
      if (!clash) ops.push(op);
    }
    const victim = kill ? Math.floor(this.random() * ops.length) : -1;
    const asked = ops.map((op, index) => this.perform(op, servers[index]!.client));
    if (victim >= 0) {
      await pause(this.random() * 15);
      process.kill(servers[victim]!.pid, 'SIGKILL');
      this.kills += 1;
    }
    const answers = await Promise.all(asked);
    const given = ops.map((op, index) => ({ op, answer: answers[index] }));
    if (victim >= 0) {
      await servers[victim]!.client.close().catch(() => undefined);
      servers[victim] = await openServer(this.world);
    }
    const seen = await this.look();
    const doubtful = given.flatMap(({ op, answer }) => (answer === undefined ? [{ op, answer, rounds: 0 }] : []));
    // A database may carry out what a killed client sent after we have looked, on a busy machine more than once.
    const fitting = this.models
      .flatMap((model) => explained(model, [...given, ...this.doubtful]))
      .filter((one) => visible(one) === seen);
    if (fitting.length === 0)
      throw new Error(
        `no order explains this (seed ${seed}):\n${visible(this.model)}\n${JSON.stringify(given)}\n${seen}`,
      );
    const before = this.doubtful.map((one) => ({ ...one, rounds: one.rounds + 1 }));
    this.doubtful = [...doubtful, ...before.filter((one) => one.rounds < doubtedRounds)];
    this.models = [...new Map(fitting.map((one) => [JSON.stringify([...one.sessions]), one])).values()];
  }
}

describe.each(databases)('work as a plain model has it (%s)', (database) => {
  inOneWorld('stdio', database, (test) => {
    test(
      requires('work.model'),
      async ({ world }) => {
        const office = await openOffice(world);
        const { project_id: project } = await office.admin('create_project', {
          name: 'p',
          working_directory: world.project,
          auto_start: true,
        });
        const agents = [await office.agent('a', project as string), await office.agent('b', project as string)];
        const trial = new Trial(world, office, project as string, agents, randomFrom(seed));
        const tasks = await office.admin('create_tasks', {
          project_id: project,
          tasks: Array.from({ length: taskCount }, (_, n) => ({ title: `t${n}` })),
        });
        const fresh = { status: 'backlog', assignee: null, dependsOn: [], claim: null };
        trial.models = [{ ...trial.model, tasks: new Map((tasks['task_ids'] as string[]).map((id) => [id, fresh])) }];
        const servers = await Promise.all(Array.from({ length: clients }, () => openServer(world)));
        for (let round = 1; round <= rounds; round++) await trial.round(servers, round % killEvery === 0);
        await Promise.all(servers.map(({ client }) => client.close()));
        expect(trial.kills).toBe(Math.floor(rounds / killEvery));
      },
      60_000 + rounds * 3000,
    );
  });
});
