import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import { instanceHolder, readBoundRuns } from '../../src/gate/index.ts';
import { abortRun } from '../../src/gate/operation/abort-run.ts';
import { emitEvent } from '../../src/gate/operation/emit-event.ts';
import { getState } from '../../src/gate/operation/get-state.ts';
import type { Context } from '../../src/kernel/context.ts';
import type { Store } from '../../src/kernel/store/store.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { assignAgent } from '../../src/work/operation/assign-agent.ts';
import { authenticate } from '../../src/work/operation/authenticate.ts';
import { createAgent } from '../../src/work/operation/create-agent.ts';
import { createProject } from '../../src/work/operation/create-project.ts';
import { createTask } from '../../src/work/operation/create-task.ts';
import { describeTask } from '../../src/work/operation/describe-task.ts';
import { getMyTask } from '../../src/work/operation/get-my-task.ts';
import { getTask } from '../../src/work/operation/get-task.ts';
import { listCards } from '../../src/work/operation/list-cards.ts';
import { reportCompleted } from '../../src/work/operation/report-completed.ts';
import { shouldStart } from '../../src/work/operation/should-start.ts';
import { updateTaskStatus } from '../../src/work/operation/update-task-status.ts';
import { openMatters } from '../../src/work/task/notices.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';

describe.each(databases)('a task whose run is aborted (%s)', (database) => {
  let bench: Bench;
  let person: Context;
  let agent: Context;

  beforeAll(async () => {
    bench = await makeBench(database);
    copyFileSync(
      join(import.meta.dirname, '../fixtures/processes/verified.yaml'),
      join(bench.project, '.sekisho/processes/verified.yaml'),
    );
    writeFileSync(join(bench.project, 'report.md'), 'Done.\n');
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

  const read = async (task_id: string) => (await getTask.run(person, { task_id })).task;
  const move = (task_id: string, status: 'todo' | 'in_progress' | 'blocked' | 'done' | 'cancelled', more = {}) =>
    updateTaskStatus.run(person, { task_id, status, ...more });
  const abort = (run_id: string | null, context = person) =>
    abortRun.run(context, { run_id: run_id ?? '', reason: 'the customer left' });
  const blocked = { status: 'blocked', summary: 'run aborted: the customer left' };

  /** Somebody who works on a task that follows a process. */
  async function working(name: string) {
    const { agent_id, passkey } = await createAgent.run(person, { name, ai_type: 'claude' });
    await assignAgent.run(person, { agent_id, project_id: 'prj_p' });
    const { task_id } = await createTask.run(person, {
      project_id: 'prj_p',
      title: `Task of ${name}`,
      process_id: 'verified',
      assignee_id: agent_id,
      priority: 'medium',
    });
    await move(task_id, 'todo');
    const { session_token } = await authenticate.run(agent, { agent_id, passkey, project_id: 'prj_p' });
    const { task } = await getMyTask.run(agent, { session_token });
    const run = task?.process?.run_id ?? '';
    expect(task).toMatchObject({ task_id, process: { run_id: run, status: 'open' } });
    return { task_id, session_token, agent_id, run, holder: instanceHolder({ agentId: agent_id, projectId: 'prj_p' }) };
  }

  const bound = async (holder: string) => {
    const { store, project } = agent;
    const runs = await readBoundRuns(store, project, { project, tasks: [holder], callers: [], trees: [] });
    return runs.map((one) => one.id);
  };

  test('is blocked in the same commit, with the reason, in the inbox and for whoever is notified', async () => {
    const { task_id, run } = await working('blocked');
    await abort(run);
    expect(await read(task_id)).toMatchObject({ ...blocked, run_id: run, claimed_by: null });
    const [[second, first] = []] = await person.store.read([
      { sql: 'select kind, data, changes from journal order by seq desc limit 2', args: {} },
    ]);
    expect([first?.['kind'], second?.['kind']]).toEqual(['run.aborted', 'task.updated']);
    expect(JSON.parse(String(first?.['changes'])).map(([table]: [string]) => table)).toContain('work_task');
    expect(JSON.parse(String(second?.['data']))).toMatchObject({
      reason: 'run aborted: the customer left',
      run,
      changes: { status: { from: 'in_progress', to: 'blocked' } },
    });
    const open = await openMatters(person, 10);
    expect(open.find((one) => one.subject === task_id)?.text('en')).toBe(
      'The task is blocked: run aborted: the customer left',
    );
    expect((await describeTask.run(person, { task_id })).run).toMatchObject({ is_final: true, status: 'aborted' });
    const { cards } = await listCards.run(person, { status: 'blocked', limit: 50 });
    expect(cards.find((one) => one.task_id === task_id)?.run).toMatchObject({ status: 'aborted' });
  });

  test('is never done by it, and its agent is not started again', async () => {
    const { task_id, session_token, agent_id, run } = await working('never-done');
    await abort(run);
    await expect(reportCompleted.run(agent, { session_token, result: 'success' })).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
    });
    expect(await getMyTask.run(agent, { session_token })).toMatchObject({ has_task: false });
    await reportCompleted.run(agent, { session_token, result: 'failed' });
    expect(await read(task_id)).toMatchObject({ status: 'blocked' });
    expect(await shouldStart.run(agent, { agent_id, project_id: 'prj_p' })).toEqual({ should_start: false });
  });

  test('gets a new run from the start when it is retried, and that run binds who works on it', async () => {
    const { task_id, session_token, run, holder } = await working('retried');
    await abort(run);
    expect(await bound(holder)).toEqual([]);
    await move(task_id, 'in_progress');
    const { run_id: next, summary } = await read(task_id);
    expect(next).not.toBe(run);
    expect(summary).toBeNull();
    expect(await getState.run(agent, { run_id: next ?? '' })).toMatchObject({
      status: 'open',
      current_state: 'working',
    });
    expect((await getMyTask.run(agent, { session_token })).task).toMatchObject({ process: { run_id: next } });
    expect(await bound(holder)).toEqual([next]);
    await expect(reportCompleted.run(agent, { session_token, result: 'success' })).rejects.toMatchObject({
      code: 'PROCESS_INCOMPLETE',
      params: { run_id: next },
    });
    await emitEvent.run(agent, {
      run_id: next ?? '',
      event_name: 'submit',
      expected_revision: 0,
      idempotency_key: task_id,
      artifact_paths: ['report.md'],
    });
    await reportCompleted.run(agent, { session_token, result: 'success' });
    expect(await read(task_id)).toMatchObject({ status: 'done' });
    expect(await getState.run(agent, { run_id: run })).toMatchObject({ status: 'aborted' });
  });

  test('is blocked also where it waited to be started, and left alone where it was closed', async () => {
    const todo = await working('todo');
    await move(todo.task_id, 'todo');
    await abort(todo.run);
    expect(await read(todo.task_id)).toMatchObject(blocked);
    const closed = await working('closed');
    await reportCompleted.run(agent, { session_token: closed.session_token, result: 'blocked' });
    await move(closed.task_id, 'cancelled');
    await abort(closed.run);
    expect(await read(closed.task_id)).toMatchObject({ status: 'cancelled', summary: null });
  });

  test('that somebody retries at the moment of the abort does not go on with the aborted run', async () => {
    const { task_id, session_token, run } = await working('overtaken');
    await reportCompleted.run(agent, { session_token, result: 'blocked' });
    let isFirst = true;
    const store: Store = {
      ...person.store,
      async commit(...batch) {
        if (isFirst) {
          isFirst = false;
          await abort(run);
        }
        return person.store.commit(...batch);
      },
    };
    await updateTaskStatus.run({ ...person, store }, { task_id, status: 'in_progress' });
    const task = await read(task_id);
    expect(task).toMatchObject({ status: 'in_progress' });
    expect(task.run_id).not.toBe(run);
  });
});
