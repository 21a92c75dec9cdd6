import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import { row } from '../setup/security.ts';
import { connectionHolder, readBoundRuns } from '../../src/gate/index.ts';
import type { Context } from '../../src/kernel/context.ts';
import type { Store } from '../../src/kernel/store/store.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { assignAgent } from '../../src/work/operation/assign-agent.ts';
import { authenticate } from '../../src/work/operation/authenticate.ts';
import { createAgent } from '../../src/work/operation/create-agent.ts';
import { createProject } from '../../src/work/operation/create-project.ts';
import { createTask } from '../../src/work/operation/create-task.ts';
import { getMyTask } from '../../src/work/operation/get-my-task.ts';
import { moveTasks } from '../../src/work/operation/move-tasks.ts';
import { rotatePasskey } from '../../src/work/operation/rotate-passkey.ts';
import { setAgentStatus } from '../../src/work/operation/set-agent-status.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';

describe.each(databases)('a session on %s', (database) => {
  let bench: Bench;
  let person: Context;
  let agent: Context;
  beforeAll(async () => {
    bench = await makeBench(database);
    copyFileSync(
      join(import.meta.dirname, '../fixtures/processes/verified.yaml'),
      join(bench.project, '.sekisho/processes/verified.yaml'),
    );
    person = await bench.context('human');
    agent = await bench.context();
    await createProject.run(person, {
      name: 'p',
      working_directory: bench.project,
      auto_start: false,
      pool: false,
      id: 'prj_p',
    });
  });
  afterAll(async () => {
    expect((await verifyStore(person.store, tables)).faults).toEqual([]);
    await bench.close();
  });

  async function member(name: string): Promise<{ agent_id: string; passkey: string; project_id: string }> {
    const made = await createAgent.run(person, { name, ai_type: 'claude' });
    await assignAgent.run(person, { agent_id: made.agent_id, project_id: 'prj_p' });
    return { agent_id: made.agent_id, passkey: made.passkey ?? '', project_id: 'prj_p' };
  }

  /** Something happens between this one's first look at the store and all that follows. */
  function overtaken(context: Context, meanwhile: () => Promise<unknown>): Context {
    let looked = false;
    const store: Store = {
      ...context.store,
      async read(queries) {
        const found = await context.store.read(queries);
        if (!looked) {
          looked = true;
          await meanwhile();
        }
        return found;
      },
    };
    return { ...context, store };
  }

  test('is not opened with a passkey that is rotated while it is looked at', async () => {
    const input = await member('rotated');
    const late = overtaken(agent, () => rotatePasskey.run(person, { agent_id: input.agent_id }));
    await expect(authenticate.run(late, input)).rejects.toMatchObject({ code: 'INVALID_CREDENTIALS' });
  });

  describe('that ran out', () => {
    const hours = (context: Context, count: number): Context => ({
      ...context,
      now: () => new Date(context.store.now().getTime() + count * 3_600_000),
    });
    const over = (context: Context, id: string): Context => ({
      ...context,
      connection: {
        id,
        shared: id,
        name: undefined,
        era: 'legacy',
        capabilities: {},
        voice: undefined,
        standing: () => undefined,
      },
    });
    const bound = async (connection: string) =>
      (
        await readBoundRuns(agent.store, agent.project, {
          project: agent.project,
          tasks: [connectionHolder(connection)],
          callers: [],
          trees: [],
        })
      ).map((one) => one.id);

    /** Opens a session and takes the task that it was given; returns its run. */
    async function work(context: Context, input: Awaited<ReturnType<typeof member>>): Promise<string | undefined> {
      const { session_token } = await authenticate.run(context, input);
      return (await getMyTask.run(context, { session_token })).task?.process?.run_id;
    }

    async function busy(name: string) {
      const input = await member(name);
      const { task_id } = await createTask.run(person, {
        project_id: 'prj_p',
        title: name,
        priority: 'medium',
        assignee_id: input.agent_id,
        process_id: 'verified',
      });
      await moveTasks.run(person, { task_ids: [task_id], status: 'todo' });
      return input;
    }

    test(`${row('binding.expired-session')} leaves its connection bound until that has ended, whoever works on the task now`, async () => {
      const input = await busy('gone');
      const run = await work(over(agent, 'old'), input);
      expect(await bound('old')).toEqual([run]);
      expect(await work(hours(over(agent, 'new'), 2), input)).toBe(run);
      expect(await bound('new')).toEqual([run]);
      expect(await bound('old')).toEqual([run]);
    });

    test('leaves its connection to another session that was opened over it since', async () => {
      const [first, second] = [await busy('first'), await busy('second')];
      await work(over(agent, 'shared'), first);
      const run = await work(hours(over(agent, 'shared'), 2), second);
      expect(await bound('shared')).toEqual([run]);
      await work(hours(over(agent, 'another'), 2), first);
      expect(await bound('shared')).toEqual([run]);
    });
  });

  test('is opened, after an agent was sent to rest and woken meanwhile, with the passkey that is still its own', async () => {
    const input = await member('rested');
    const rest = overtaken(agent, async () => {
      for (const status of ['inactive', 'active'] as const)
        await setAgentStatus.run(person, { agent_id: input.agent_id, status });
    });
    expect((await authenticate.run(rest, input)).session_token).toMatch(/^sess_/);
  });
});
