import type { Client } from '@modelcontextprotocol/client';
import { bind } from './story.ts';
import type { Reply, World, WorldTest } from './world.ts';

export interface Agent {
  readonly id: string;
  readonly passkey: string;
}

/** A world seen by a person who sets things up and by agents who work in it. */
export interface Office {
  readonly person: Client;
  admin(tool: string, input: object): Promise<Record<string, any>>;
  project(name: string): Promise<string>;
  agent(name: string, ...projects: readonly string[]): Promise<Agent>;
  /** A task that has been moved to `status`. */
  task(project: string, title: string, status?: string, more?: object): Promise<string>;
  move(task: string, ...statuses: readonly string[]): Promise<Reply>;
  login(agent: Agent, project: string, client?: Client): Promise<string>;
  read(task: string): Promise<Record<string, any>>;
  /** Its executions, the newest first. */
  logs(task: string): Promise<any[]>;
}

/** The moves that lead to a state. */
const ways: Readonly<Record<string, readonly string[]>> = {
  backlog: [],
  todo: ['todo'],
  in_progress: ['todo', 'in_progress'],
  blocked: ['todo', 'in_progress', 'blocked'],
  done: ['todo', 'in_progress', 'done'],
  cancelled: ['cancelled'],
};

export async function openOffice(world: World): Promise<Office> {
  const person = await world.client({ role: 'human' });
  const admin = async (tool: string, input: object) => {
    const { isError, value, text } = await world.call(tool, input, person);
    if (isError) throw new Error(`${tool}: ${text}`);
    return value;
  };
  const office: Office = {
    person,
    admin,
    project: async (name) =>
      (await admin('create_project', { name, working_directory: world.project }))['project_id'] as string,
    async agent(name, ...projects) {
      const made = await admin('create_agent', { name, ai_type: 'scripted', system_prompt: `You are ${name}.` });
      for (const project_id of projects) await admin('assign_agent', { project_id, agent_id: made['agent_id'] });
      return { id: made['agent_id'] as string, passkey: made['passkey'] as string };
    },
    async task(project_id, title, status = 'backlog', more = {}) {
      const { task_id } = await admin('create_task', { project_id, title, ...more });
      await office.move(task_id as string, ...(ways[status] ?? []));
      return task_id as string;
    },
    async move(task_id, ...statuses) {
      let last: Reply | undefined;
      for (const status of statuses) last = await world.call('update_task_status', { task_id, status }, person);
      return last as Reply;
    },
    async login(agent, project_id, client) {
      const { value } = await world.call(
        'authenticate',
        { agent_id: agent.id, passkey: agent.passkey, project_id },
        client,
      );
      return value['session_token'] as string;
    },
    logs: async (task_id) => (await world.call('list_execution_logs', { task_id })).value['logs'] as any[],
    read: async (task_id) => (await world.call('get_task', { task_id })).value['task'] as Record<string, any>,
  };
  return office;
}

type Clause = Parameters<Parameters<typeof bind<{ world: World; office: Office }>>[1]>[0];

/** A story in a world with an office. */
export function workStory(test: WorldTest, title: string, tell: (clause: Clause) => void): void {
  const { name, run } = bind(title, tell);
  test(name, async ({ world }) => run({ world, office: await openOffice(world) }));
}
