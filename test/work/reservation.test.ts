import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { tables } from '../../src/app/tables.ts';
import type { Context } from '../../src/kernel/context.ts';
import { isProblem } from '../../src/kernel/problem.ts';
import { entry } from '../../src/kernel/store/journal.ts';
import { text } from '../../src/kernel/store/row.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { acceptHandoff } from '../../src/work/operation/accept-handoff.ts';
import { assignAgent } from '../../src/work/operation/assign-agent.ts';
import { assignTask } from '../../src/work/operation/assign-task.ts';
import { authenticate } from '../../src/work/operation/authenticate.ts';
import { createAgent } from '../../src/work/operation/create-agent.ts';
import { createHandoff } from '../../src/work/operation/create-handoff.ts';
import { createProject } from '../../src/work/operation/create-project.ts';
import { createTasks } from '../../src/work/operation/create-tasks.ts';
import { getMyTask } from '../../src/work/operation/get-my-task.ts';
import { moveTasks } from '../../src/work/operation/move-tasks.ts';
import { reportCompleted } from '../../src/work/operation/report-completed.ts';
import { updateTask } from '../../src/work/operation/update-task.ts';
import { updateTaskStatus } from '../../src/work/operation/update-task-status.ts';
import { findStart } from '../../src/work/runner/find-start.ts';
import { type Claim, claimWrites, endedWrites } from '../../src/work/runner/instance-writes.ts';
import { blockSpentTasks } from '../../src/work/runner/start.ts';
import { findNextTask } from '../../src/work/task/next-task.ts';
import { stuckQuery, stuckTasks } from '../../src/work/task/stuck.ts';
import { type Task, isClosed, selectTasks, statuses, toTask } from '../../src/work/task/task.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';
import fc from '../setup/property.ts';

const isLong = process.env['SEKISHO_PROPERTY_RUNS'] !== undefined;
const runs = Number(process.env['SEKISHO_PROPERTY_RUNS'] ?? 12);
const taskCount = isLong ? 30 : 12;
const agentCount = 3;
const mostAttempts = 3;

const hour = 3_600_000;

interface Worker {
  readonly id: string;
  readonly passkey: string;
  /** A connection of its own, as the host on another machine has. */
  readonly context: Context;
}

interface Held extends Claim {
  readonly task: string;
  readonly token?: string;
}

/** The graph: each task depends on earlier ones. */
const graph = fc.record({
  pool: fc.boolean(),
  autoStart: fc.boolean(),
  tasks: fc.array(
    fc.record({
      // Undefined: of nobody, so only the pool can have it.
      assignee: fc.option(fc.nat(agentCount - 1), { nil: undefined, freq: 3 }),
      after: fc.array(fc.nat(taskCount - 1), { maxLength: 2 }),
      priority: fc.constantFrom('urgent', 'medium', 'low'),
      isReady: fc.boolean(),
    }),
    { minLength: taskCount, maxLength: taskCount },
  ),
});

const step = fc.record({
  act: fc.oneof(
    { weight: 6, arbitrary: fc.constant('reserve') },
    { weight: 5, arbitrary: fc.constant('take') },
    { weight: 4, arbitrary: fc.constantFrom('succeed', 'end') },
    { weight: 2, arbitrary: fc.constantFrom('fail', 'hand over', 'lose', 'cancel', 'move', 'assign', 'unassign') },
  ),
  agent: fc.nat(agentCount - 1),
  other: fc.nat(agentCount - 1),
  task: fc.nat(taskCount - 1),
  status: fc.constantFrom(...statuses),
});

describe.each(databases)('reservations of tasks (%s)', (database) => {
  let bench: Bench;
  let person: Context;
  const workers: Worker[] = [];

  beforeAll(async () => {
    bench = await makeBench(database);
    person = await bench.context('human');
    for (let n = 0; n < agentCount; n += 1) {
      const { agent_id, passkey } = await createAgent.run(person, { name: `agent ${n}`, ai_type: 'claude' });
      workers.push({ id: agent_id, passkey: passkey ?? '', context: await bench.context() });
    }
  });
  afterAll(async () => {
    expect((await verifyStore(person.store, tables)).faults).toEqual([]);
    await bench.close();
  });

  const openProject = async (more: { pool?: boolean; auto_start?: boolean }): Promise<string> => {
    const { project_id } = await createProject.run(person, {
      name: 'p',
      working_directory: bench.project,
      auto_start: false,
      pool: false,
      ...more,
    });
    for (const { id } of workers) await assignAgent.run(person, { agent_id: id, project_id });
    return project_id;
  };

  /** The commit with which a Runner claims a pair for a task, without the instance. Undefined after a conflict. */
  const claim = async ({ id, context }: Worker, projectId: string, task: string): Promise<Held | undefined> => {
    const [[row] = []] = await context.store.read([
      {
        sql: 'select failures from work_assignment where agent_id = :id and project_id = :projectId',
        args: { id, projectId },
      },
    ]);
    const held: Held = { claim: context.newId('claim-'), agentId: id, projectId, state: bench.project, task };
    const now = context.now();
    const writes = claimWrites(
      { ...held, runner: 'r', failures: Number(row?.['failures']) },
      { at: now.toISOString(), until: new Date(now.getTime() + hour).toISOString() },
    );
    const { done } = await context.store.commit(writes, [entry(context, id, 'instance.claimed', { task })]);
    return done ? held : undefined;
  };
  const end = async ({ context }: Worker, held: Held, outcome: string): Promise<void> => {
    const at = context.now().toISOString();
    const ended = { outcome, exitCode: outcome === 'completed' ? 0 : 1, reason: 'it crashed' };
    const writes = endedWrites(held, { at, until: at, agent: 'a', ended });
    await context.store.commit(writes, [entry(context, held.agentId, 'instance.ended', {})]);
  };

  test('of all who reserve one task at once, one gets it', async () => {
    const project = await openProject({ pool: true });
    const { task_ids: ids } = await createTasks.run(person, {
      project_id: project,
      tasks: Array.from({ length: 20 }, (_, n) => ({ title: `t${n}`, priority: 'medium' as const })),
    });
    await moveTasks.run(person, { task_ids: ids, status: 'todo' });
    for (const task of ids) {
      const claims = await Promise.all(workers.map((one) => claim(one, project, task)));
      expect(claims.filter((one) => one !== undefined)).toHaveLength(1);
      for (const [n, one] of claims.entries()) if (one !== undefined) await end(workers[n]!, one, 'cancelled');
    }
  });

  /** Tasks that agents have, each assigned to the first and ready. */
  const giveTasks = async (
    project_id: string,
    ...after: readonly (readonly string[])[]
  ): Promise<readonly string[]> => {
    const tasks = after.map((depends_on, n) => ({
      key: `t${n}`,
      title: `t${n}`,
      priority: 'medium' as const,
      assignee_id: workers[0]!.id,
      depends_on: [...depends_on],
    }));
    const { task_ids } = await createTasks.run(person, { project_id, tasks });
    await moveTasks.run(person, { task_ids, status: 'todo' });
    return task_ids;
  };
  const handOver = (task_id: string) =>
    createHandoff.run(person, {
      task_id,
      from_agent_id: workers[0]!.id,
      to_agent_id: workers[1]!.id,
      summary: 'go on',
    });

  test('a task whose new agent never accepts it is blocked after three attempts', async () => {
    const project = await openProject({});
    const [task = ''] = await giveTasks(project, []);
    await updateTaskStatus.run(person, { task_id: task, status: 'in_progress' });
    await handOver(task);
    const next = workers[1]!;
    for (let tries = 0; tries < mostAttempts; tries += 1) {
      const found = await findStart(next.context, next.id, project);
      expect(found?.task?.id).toBe(task);
      const held = await claim(next, project, task);
      await end(next, held!, 'failed');
    }
    const { task: none, waits = [] } = (await findStart(next.context, next.id, project)) ?? {};
    expect(none).toBeUndefined();
    expect(waits).toMatchObject([{ for: 'attempts', task: { id: task } }]);
    await blockSpentTasks(person);
    const before = await person.store.head();
    await blockSpentTasks(person);
    expect(await person.store.head(), 'what is blocked is not written again').toEqual(before);
    expect((await look(project)).tasks).toMatchObject([
      { status: 'blocked', summary: '3 attempts failed; the last: it crashed' },
    ]);
  });

  test('no agent is started for a task that was handed over but cannot start', async () => {
    const project = await openProject({});
    const [, behind = '', later = ''] = await giveTasks(project, [], ['t0'], []);
    await updateTaskStatus.run(person, { task_id: later, status: 'backlog' });
    for (const task of [behind, later]) await handOver(task);
    expect(await findNextTask(person, workers[1]!.id, project)).toEqual({ task: undefined, waits: [] });
    await updateTaskStatus.run(person, { task_id: later, status: 'todo' });
    expect((await findNextTask(person, workers[1]!.id, project)).task?.id).toBe(later);
  });

  /** Looks at the project as the tables have it. */
  const look = async (project: string) => {
    const now = person.now().toISOString();
    const [rows = [], handoffs = [], pairs = [], stuck = []] = await person.store.read([
      { sql: `${selectTasks} where t.project_id = :project order by t.ord`, args: { project, now } },
      {
        sql: `select task_id, to_agent_id from work_handoff where project_id = :project and status = 'pending' and to_agent_id is not null`,
        args: { project },
      },
      {
        sql: `select agent_id, claim_task, case when claim_expires_at > :now then 1 else 0 end as claimed,
            case when session_expires_at > :now then 1 else 0 end as in_session from work_assignment where project_id = :project`,
        args: { project, now },
      },
      stuckQuery(project),
    ]);
    const tasks = rows.map(toTask);
    const status = new Map(tasks.map((one) => [one.id, one.status]));
    const live = pairs.filter((row) => Number(row['claimed']) === 1);
    return {
      tasks,
      stuck: stuckTasks(stuck),
      reserved: live.map((row) => text(row, 'claim_task')),
      reservedBy: (agent: string) => live.find((row) => row['agent_id'] === agent)?.['claim_task'],
      busy: new Set(
        pairs
          .filter((row) => Number(row['claimed']) + Number(row['in_session']) > 0)
          .map((row) => text(row, 'agent_id')),
      ),
      addressee: new Map(handoffs.map((row) => [text(row, 'task_id'), text(row, 'to_agent_id')])),
      waitsForOthers: (task: Task) => task.dependsOn.some((one) => !isClosed(status.get(one) ?? 'done')),
    };
  };
  type Look = Awaited<ReturnType<typeof look>>;

  /** Whether the agent may work on the task now, if no other one has reserved it. */
  const mayWork = ({ addressee, waitsForOthers }: Look, pool: boolean, agent: string, task: Task): boolean => {
    const to = addressee.get(task.id);
    const isOpen = task.status === 'in_progress' || (task.status === 'todo' && !waitsForOthers(task));
    if (to === agent) return isOpen || (task.status === 'blocked' && !waitsForOthers(task));
    if (to !== undefined && (task.status === 'in_progress' || task.assigneeId === null)) return false;
    return isOpen && (task.assigneeId === agent || (pool && task.assigneeId === null));
  };

  /** Everything that the agent would find, one after the other, and what waits. */
  const findAll = async (project: string, agent: string) => {
    const found = new Set<string>();
    for (;;) {
      const { task, waits } = await findNextTask(person, agent, project, found);
      if (task === undefined) return { found, waits: new Set(waits.map((one) => one.task.id)), spent: waits };
      found.add(task.id);
    }
  };

  const check = async (project: string, pool: boolean): Promise<void> => {
    const seen = await look(project);
    const { tasks, reserved, busy, stuck } = seen;
    expect(new Set(reserved).size, 'one live claim reserves a task').toBe(reserved.length);
    const explained = new Set<string>(reserved);
    for (const { id } of workers) {
      const { found, waits } = await findAll(project, id);
      const wanted = tasks.filter((one) => mayWork(seen, pool, id, one));
      const others = new Set(reserved.filter((one) => seen.reservedBy(id) !== one));
      const isSpent = (one: Task) => one.attempts >= mostAttempts;
      const free = wanted.filter((one) => !others.has(one.id) && !isSpent(one)).map((one) => one.id);
      expect([...found].toSorted(), 'what is ready for a free agent is found').toEqual(free.toSorted());
      for (const one of [...found, ...waits]) explained.add(one);
      // A busy agent comes to it later.
      if (busy.has(id)) for (const one of wanted) explained.add(one.id);
    }
    const isWorkable = (one: Task) =>
      one.status === 'in_progress' || (one.status === 'todo' && !seen.waitsForOthers(one));
    const unowned = tasks.filter(
      (one) => !pool && one.assigneeId === null && isWorkable(one) && !seen.addressee.has(one.id),
    );
    expect(stuck.unassigned, 'tasks that no agent may take').toBe(unowned.length);
    for (const one of unowned) explained.add(one.id);
    // All others are closed, blocked, planned for later or behind an open one.
    const forgotten = tasks.filter((one) => isWorkable(one) && one.claim === undefined && !explained.has(one.id));
    expect(forgotten, 'tasks without a reason').toEqual([]);
  };

  test('at no time is a task reserved twice, forgotten or tried for ever', async () => {
    await fc.assert(
      fc.asyncProperty(graph, fc.array(step, { minLength: 20, maxLength: 60 }), async (wish, steps) => {
        const { pool } = wish;
        const project = await openProject({ pool, auto_start: wish.autoStart });
        const { task_ids: ids } = await createTasks.run(person, {
          project_id: project,
          tasks: wish.tasks.map(({ assignee, after, priority }, n) => ({
            key: `t${n}`,
            title: `t${n}`,
            priority,
            ...(assignee !== undefined && { assignee_id: workers[assignee]!.id }),
            depends_on: [...new Set(after.filter((one) => one < n))].map((one) => `t${one}`),
          })),
        });
        const ready = ids.filter((_, n) => wish.tasks[n]!.isReady);
        if (ready.length > 0) await moveTasks.run(person, { task_ids: ready, status: 'todo' });
        const held = new Map<string, Held>();
        const lost = new Map<string, Held>();
        /** How often instances were started for a task since something was said about it. */
        const tries = new Map<string, number>();
        /** A refusal is an answer too. */
        const attempt = async (task: string, act: () => Promise<unknown>): Promise<boolean> => {
          try {
            await act();
            tries.set(task, 0);
            return true;
          } catch (error) {
            if (!isProblem(error)) throw error;
            return false;
          }
        };
        const acting = ({ context, id }: Worker): Context => ({
          ...context,
          actor: { ...context.actor, id, verified: true },
        });
        const finish = async (worker: Worker, outcome: string) => {
          const mine = held.get(worker.id);
          if (mine === undefined) return;
          await end(worker, mine, outcome);
          held.delete(worker.id);
        };

        const acts: Readonly<Record<string, (worker: Worker, one: (typeof steps)[number]) => Promise<void>>> = {
          async reserve(worker, { other }) {
            const both = [...new Set([worker, workers[other]!])];
            const found = await Promise.all(both.map((one) => findStart(one.context, one.id, project)));
            await blockSpentTasks(person);
            const claims = await Promise.all(
              both.map(async (one, n) => {
                const task = found[n]?.task;
                return task === undefined ? undefined : claim(one, project, task.id);
              }),
            );
            for (const [n, one] of claims.entries()) {
              if (one === undefined) continue;
              held.set(both[n]!.id, one);
              tries.set(one.task, (tries.get(one.task) ?? 0) + 1);
              expect(tries.get(one.task), 'attempts at one task').toBeLessThanOrEqual(mostAttempts);
            }
            const wanted = found.flatMap((start) => start?.task?.id ?? []);
            expect(new Set(claims.flatMap((one) => one?.task ?? []))).toEqual(new Set(wanted));
          },
          async take(worker) {
            const mine = held.get(worker.id);
            if (mine === undefined) return;
            const { id: agent_id, passkey, context } = worker;
            const token =
              mine.token ?? (await authenticate.run(context, { agent_id, passkey, project_id: project })).session_token;
            held.set(agent_id, { ...mine, token });
            const before = await look(project);
            const { task } = await getMyTask.run(context, { session_token: token });
            const reserved = before.tasks.find((one) => one.id === mine.task)!;
            const isThere =
              reserved.status === 'blocked' ? task !== undefined : mayWork(before, pool, agent_id, reserved);
            expect(task?.task_id, 'exactly the reserved task or none').toBe(isThere ? mine.task : undefined);
            const { handoff } = task ?? {};
            if (handoff?.status === 'pending' && handoff.to_agent_id === agent_id)
              await attempt(mine.task, () =>
                acceptHandoff.run(acting(worker), { handoff_id: handoff.handoff_id, agent_id }),
              );
          },
          async succeed(worker) {
            const { token, task } = held.get(worker.id) ?? {};
            if (token === undefined || task === undefined) return;
            const report = { session_token: token, result: 'success' as const };
            if (await attempt(task, () => reportCompleted.run(worker.context, report)))
              await finish(worker, 'completed');
          },
          async fail(worker) {
            const { token, task } = held.get(worker.id) ?? {};
            if (token === undefined || task === undefined) return;
            const report = { session_token: token, result: 'failed' as const };
            if (await attempt(task, () => reportCompleted.run(worker.context, report)))
              await finish(worker, 'completed');
          },
          async 'hand over'(worker, { other }) {
            const { token, task } = held.get(worker.id) ?? {};
            const to = workers[other]!.id;
            if (token === undefined || task === undefined || to === worker.id) return;
            const wishes = { task_id: task, from_agent_id: worker.id, to_agent_id: to, summary: 'go on' };
            if (await attempt(task, () => createHandoff.run(acting(worker), wishes))) await finish(worker, 'completed');
          },
          end: (worker, { other }) => finish(worker, other === 0 ? 'completed' : 'failed'),
          async cancel(worker) {
            const mine = held.get(worker.id);
            if (mine === undefined) return;
            tries.set(mine.task, 0);
            await finish(worker, 'cancelled');
          },
          /** Its host is silent for too long; whoever settles writes its end later. */
          async lose(worker) {
            const before = lost.get(worker.id);
            lost.delete(worker.id);
            if (before !== undefined) await end(worker, before, 'failed');
            const mine = held.get(worker.id);
            if (mine === undefined) return;
            const past = new Date(worker.context.now().getTime() - 1).toISOString();
            await worker.context.store.touch([
              {
                sql: `update work_assignment set claim_expires_at = :past, session_expires_at = case when session is null then null else :past end
                  where claim = :claim`,
                args: { past, claim: mine.claim },
                rows: 1,
              },
            ]);
            tries.set(mine.task, 0);
            held.delete(worker.id);
            lost.set(worker.id, mine);
          },
          async move(_, { task, status }) {
            await attempt(ids[task]!, () => updateTaskStatus.run(person, { task_id: ids[task]!, status }));
          },
          async assign(worker, { task }) {
            await attempt(ids[task]!, () => assignTask.run(person, { task_id: ids[task]!, assignee_id: worker.id }));
          },
          async unassign(_, { task }) {
            await attempt(ids[task]!, () => updateTask.run(person, { task_id: ids[task]!, assignee_id: null }));
          },
        };
        await check(project, pool);
        for (const one of steps) {
          await acts[one.act]!(workers[one.agent]!, one);
          await check(project, pool);
        }
        // The next graph is for the same agents.
        for (const worker of workers) await finish(worker, 'cancelled');
      }),
      { numRuns: runs, endOnFailure: true },
    );
  });
});
