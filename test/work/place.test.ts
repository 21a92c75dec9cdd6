import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import { abortRun } from '../../src/gate/operation/abort-run.ts';
import { emitEvent } from '../../src/gate/operation/emit-event.ts';
import type { Context } from '../../src/kernel/context.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { acceptHandoff } from '../../src/work/operation/accept-handoff.ts';
import { assignAgent } from '../../src/work/operation/assign-agent.ts';
import { authenticate } from '../../src/work/operation/authenticate.ts';
import { createAgent } from '../../src/work/operation/create-agent.ts';
import { createHandoff } from '../../src/work/operation/create-handoff.ts';
import { createProject } from '../../src/work/operation/create-project.ts';
import { createTask } from '../../src/work/operation/create-task.ts';
import { getMyTask } from '../../src/work/operation/get-my-task.ts';
import { getTask } from '../../src/work/operation/get-task.ts';
import { reportExecutionStart } from '../../src/work/operation/report-execution-start.ts';
import { updateTaskStatus } from '../../src/work/operation/update-task-status.ts';
import { type Bench, makeBench } from '../setup/context.ts';

describe.each(['sqlite', 'postgres'] as const)('the tree of a task’s run (%s)', (database) => {
  let bench: Bench;
  let person: Context;

  beforeAll(async () => {
    bench = await makeBench(database);
    copyFileSync(
      join(import.meta.dirname, '../fixtures/processes/verified.yaml'),
      join(bench.project, '.sekisho/processes/verified.yaml'),
    );
    // What another task left in the main checkout.
    writeFileSync(join(bench.project, 'report.md'), 'The report of another task.\n');
    person = await bench.context('human');
    await createProject.run(person, {
      name: 'p',
      working_directory: bench.project,
      auto_start: true,
      pool: false,
      id: 'prj_p',
    });
  });
  afterAll(async () => {
    expect((await verifyStore(person.store, tables)).faults).toEqual([]);
    await bench.close();
  });

  /** An agent with a session, in a tree of its own. */
  const hire = async (name: string) => {
    const base = await bench.context();
    const tree = join(bench.project, '..', name);
    mkdirSync(tree, { recursive: true });
    const context: Context = { ...base, project: { ...base.project, tree } };
    const { agent_id, passkey } = await createAgent.run(person, { name, ai_type: 'claude' });
    await assignAgent.run(person, { agent_id, project_id: 'prj_p' });
    const { session_token } = await authenticate.run(context, { agent_id, passkey, project_id: 'prj_p' });
    return { id: agent_id, context, tree, session_token };
  };
  const ready = async (assignee_id: string, more: { depends_on?: string[] } = {}) => {
    const { task_id } = await createTask.run(person, {
      project_id: 'prj_p',
      title: 'A task',
      process_id: 'verified',
      assignee_id,
      priority: 'medium',
      ...more,
    });
    await updateTaskStatus.run(person, { task_id, status: 'todo' });
    return task_id;
  };
  const runOf = async (task_id: string) => {
    const { run_id } = (await getTask.run(person, { task_id })).task;
    const [[row] = []] = await person.store.read([
      { sql: 'select id, tree from run where id = :run', args: { run: run_id } },
    ]);
    return row as { id: string; tree: string | null };
  };
  const submit = (context: Context, run_id: string) =>
    emitEvent.run(context, {
      run_id,
      event_name: 'submit',
      expected_revision: 0,
      idempotency_key: 'k',
      artifact_paths: ['report.md'],
    });
  const acting = ({ context, id }: { context: Context; id: string }): Context => ({
    ...context,
    actor: { ...context.actor, id, verified: true },
  });

  test('is that of the agent that takes the task, also if a person started it', async () => {
    const ann = await hire('ann');
    const task = await ready(ann.id);
    await updateTaskStatus.run(person, { task_id: task, status: 'in_progress' });
    expect((await runOf(task)).tree).toBe('');
    await getMyTask.run(ann.context, { session_token: ann.session_token });
    const { id, tree } = await runOf(task);
    expect(tree).toBe(ann.tree);
    await expect(submit(ann.context, id)).rejects.toMatchObject({ code: 'INVALID_PAYLOAD' });
    writeFileSync(join(ann.tree, 'report.md'), 'My report.\n');
    expect(await submit(ann.context, id)).toMatchObject({ result: { moved: true } });
  });

  test('is recorded in the commit that starts and takes the task, once', async () => {
    const bea = await hire('bea');
    const task = await ready(bea.id);
    const before = await person.store.head();
    const answers = await Promise.all([
      getMyTask.run(bea.context, { session_token: bea.session_token }),
      getMyTask.run(bea.context, { session_token: bea.session_token }),
    ]);
    expect(answers.map((one) => one.task?.task_id)).toEqual([task, task]);
    const { id, tree } = await runOf(task);
    expect(tree).toBe(bea.tree);
    const [rows = []] = await person.store.read([
      { sql: 'select kind from journal where seq > :before and subject = :id order by seq', args: { before, id } },
    ]);
    expect(rows.map((row) => row['kind'])).toEqual(['run.created', 'run.placed']);
  });

  test('is not that of the agent whose success started the task automatically', async () => {
    const [cay, dot] = [await hire('cay'), await hire('dot')];
    const { task_id: first } = await createTask.run(person, {
      project_id: 'prj_p',
      title: 'First',
      assignee_id: cay.id,
      priority: 'medium',
    });
    const next = await ready(dot.id, { depends_on: [first] });
    await updateTaskStatus.run(person, { task_id: first, status: 'todo' });
    await getMyTask.run(cay.context, { session_token: cay.session_token });
    await updateTaskStatus.run(acting(cay), { task_id: first, status: 'done' });
    expect((await runOf(next)).tree).toBe('');
    await reportExecutionStart.run(dot.context, { session_token: dot.session_token, task_id: next });
    expect((await runOf(next)).tree).toBe(dot.tree);
  });

  test('stays what it was when the task is handed over, and is the new holder’s if there was none', async () => {
    const [eve, flo] = [await hire('eve'), await hire('flo')];
    const held = await ready(eve.id);
    await getMyTask.run(eve.context, { session_token: eve.session_token });
    const handOver = async (task_id: string) => {
      const { handoff } = await createHandoff.run(acting(eve), {
        task_id,
        from_agent_id: eve.id,
        to_agent_id: flo.id,
        summary: 'Over to you',
      });
      await acceptHandoff.run(acting(flo), { handoff_id: handoff.handoff_id, agent_id: flo.id });
    };
    await handOver(held);
    expect((await runOf(held)).tree).toBe(eve.tree);
    const open = await ready(eve.id);
    await updateTaskStatus.run(person, { task_id: open, status: 'in_progress' });
    await handOver(open);
    expect((await runOf(open)).tree).toBe(flo.tree);
  });

  test('of the run that follows an aborted one is the tree in which the task is taken again', async () => {
    const gil = await hire('gil');
    const task = await ready(gil.id);
    await getMyTask.run(gil.context, { session_token: gil.session_token });
    const { id: first } = await runOf(task);
    await abortRun.run(person, { run_id: first, reason: 'start again' });
    await updateTaskStatus.run(person, { task_id: task, status: 'in_progress' });
    const second = await runOf(task);
    expect(second).toMatchObject({ tree: '' });
    expect(second.id).not.toBe(first);
    await getMyTask.run(gil.context, { session_token: gil.session_token });
    expect(await runOf(task)).toEqual({ id: second.id, tree: gil.tree });
  });
});
