import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import type { Context } from '../../src/kernel/context.ts';
import type { Store } from '../../src/kernel/store.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { assignAgent } from '../../src/work/operation/assign-agent.ts';
import { authenticate } from '../../src/work/operation/authenticate.ts';
import { createAgent } from '../../src/work/operation/create-agent.ts';
import { createProject } from '../../src/work/operation/create-project.ts';
import { rotatePasskey } from '../../src/work/operation/rotate-passkey.ts';
import { setAgentStatus } from '../../src/work/operation/set-agent-status.ts';
import type { Bench } from '../setup/context.ts';
import { makeBench } from '../setup/context.ts';

describe.each(['sqlite', 'postgres'] as const)('a session on %s', (database) => {
  let bench: Bench;
  let person: Context;
  let agent: Context;
  beforeAll(async () => {
    bench = await makeBench(database);
    person = await bench.context('human');
    agent = await bench.context();
    await createProject.run(person, {
      name: 'p',
      working_directory: bench.project,
      auto_start: false,
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
    return { agent_id: made.agent_id, passkey: made.passkey, project_id: 'prj_p' };
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

  test('is opened, after an agent was sent to rest and woken meanwhile, with the passkey that is still its own', async () => {
    const input = await member('rested');
    const rest = overtaken(agent, async () => {
      for (const status of ['inactive', 'active'] as const)
        await setAgentStatus.run(person, { agent_id: input.agent_id, status });
    });
    expect((await authenticate.run(rest, input)).session_token).toMatch(/^sess_/);
  });
});
