import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Context } from '../../src/kernel/context.ts';
import { createProject } from '../../src/work/operation/create-project.ts';
import { createTask } from '../../src/work/operation/create-task.ts';
import { createTasks } from '../../src/work/operation/create-tasks.ts';
import { deleteTask } from '../../src/work/operation/delete-task.ts';
import { getTask } from '../../src/work/operation/get-task.ts';
import { updateTask } from '../../src/work/operation/update-task.ts';
import { importLines } from '../../src/work/task/import.ts';
import { numberProjects } from '../../src/work/task/number.ts';
import { resolveTaskId, typedTasks } from '../../src/work/task/reference.ts';
import { exportLines } from '../../src/work/task/transfer.ts';
import { type Bench, makeBench } from '../setup/context.ts';

describe.each(['sqlite', 'postgres'] as const)('the number of a task on %s', (database) => {
  let bench: Bench;
  let context: Context;
  let made = 0;
  beforeAll(async () => {
    bench = await makeBench(database);
    context = await bench.context('human');
  });
  afterAll(async () => bench.close());

  /** A project with a name and an id of its own, so that the tests share one store. */
  const project = async (folder = '/nowhere', name = `p${(made += 1)}`, id = `prj_${(made += 1)}`) => {
    await createProject.run(context, { name, working_directory: folder, auto_start: false, id });
    return { name, id };
  };
  const create = async (project_id: string, more: { depends_on?: string[]; parent_id?: string } = {}, by = context) =>
    (await createTask.run(by, { project_id, title: 't', priority: 'medium', ...more })).task;
  const numbersOf = async (id: string) => {
    const [rows = []] = await context.store.read([
      { sql: 'select number from work_task where project_id = :id order by ord', args: { id } },
    ]);
    return rows.map((row) => (row['number'] === null ? null : Number(row['number'])));
  };

  test('counts within the project, and a deleted one is not given again', async () => {
    const { id } = await project();
    const other = await project();
    expect((await create(id)).number).toBe(1);
    const drafts = ['a', 'b', 'c'].map((key) => ({ key, title: key, priority: 'medium' as const }));
    const { tasks } = await createTasks.run(context, { project_id: id, tasks: drafts });
    expect(tasks.map((one) => one.number)).toEqual([2, 3, 4]);
    await deleteTask.run(context, { task_id: tasks[2]?.task_id ?? '' });
    expect((await create(id)).number).toBe(5);
    expect((await create(other.id)).number).toBe(1);
  });

  test('is given once, however many create tasks at the same time', async () => {
    const { id } = await project();
    const callers = await Promise.all(Array.from({ length: 4 }, () => bench.context('human')));
    const all = await Promise.all(
      callers.flatMap((by) => Array.from({ length: 10 }, async () => (await create(id, {}, by)).number)),
    );
    expect(all.map(Number).toSorted((one, other) => one - other)).toEqual(Array.from({ length: 40 }, (_, n) => n + 1));
  });

  describe('of a project that an older version has made', () => {
    const older = async () => {
      const { id } = await project();
      for (let n = 0; n < 3; n++) await create(id);
      const at = { project: '', at: '', actor: 'test', subject: id, kind: 'test.older', data: '{}' };
      const args = { id };
      await context.store.commit(
        [
          { sql: 'update work_task set number = null where project_id = :id', args },
          { sql: 'update work_project set last_number = null where id = :id', args },
        ],
        [at],
      );
      expect(await numbersOf(id)).toEqual([null, null, null]);
      return id;
    };

    test('follows the order of creation when a server starts', async () => {
      const id = await older();
      await numberProjects(context);
      expect(await numbersOf(id)).toEqual([1, 2, 3]);
    });

    test('is there before a new task gets the next one', async () => {
      const id = await older();
      const [one, other] = await Promise.all([create(id), create(id, {}, await bench.context('human'))]);
      expect([one.number, other.number].toSorted()).toEqual([4, 5]);
      expect(await numbersOf(id)).toEqual([1, 2, 3, 4, 5]);
    });
  });

  test('names a task beside its project, and alone where that is clear', async () => {
    const own = await project(bench.project);
    const [first, second] = [await project(), await project()];
    const mine = await create(own.id);
    const [one, other] = [await create(first.id), await create(second.id)];
    const find = async (given: string, within?: string) => resolveTaskId(context, given, within);
    for (const given of [one.task_id, `${first.name}#1`, `${first.id}#1`]) expect(await find(given)).toBe(one.task_id);
    expect(await find(`${second.name}#1`)).toBe(other.task_id);
    // A plain number means the project in the caller's folder, else the given one.
    for (const given of ['1', '#1']) expect(await find(given)).toBe(mine.task_id);
    expect(await find('1', second.id)).toBe(other.task_id);
    expect(await find('2', second.id)).toBe('2');
    for (const nothing of [`${first.name}#9`, 'nowhere#1', '0', '#', '01', 'tsk_1'])
      expect(await find(nothing)).toBe(nothing);
    const typed = await typedTasks(context, [
      { id: mine.task_id, number: 1 },
      { id: one.task_id, number: 1 },
    ]);
    expect([...typed.values()]).toEqual(['1', one.task_id]);
  });

  test('that several projects have is refused with the spellings that are clear', async () => {
    const elsewhere = await makeBench(database);
    try {
      const there = await elsewhere.context('human');
      const names = [
        ['web', 'prj_web'],
        ['api', 'prj_api'],
        ['api', 'prj_api2'],
        ['two words', 'prj_two'],
      ] as const;
      for (const [name, id] of names) {
        await createProject.run(there, { name, working_directory: '/nowhere', auto_start: false, id });
        await create(id, {}, there);
      }
      const refused = (given: string) => getTask.run(there, { task_id: given }).catch((error: unknown) => error);
      expect(await refused('#1')).toMatchObject({
        code: 'TASK_AMBIGUOUS',
        details: { spellings: ['web#1', 'prj_api#1', 'prj_api2#1', 'prj_two#1'] },
      });
      expect(await refused('api#1')).toMatchObject({ details: { spellings: ['prj_api#1', 'prj_api2#1'] } });
      expect((await getTask.run(there, { task_id: 'two words#1' })).task.project_id).toBe('prj_two');
      expect(await refused('2')).toMatchObject({ code: 'TASK_NOT_FOUND' });
    } finally {
      await elsewhere.close();
    }
  });

  test('means a task of the same project in depends_on and parent_id', async () => {
    const [one, other] = [await project(), await project()];
    await create(other.id);
    const first = await create(one.id);
    const second = await create(one.id, { depends_on: ['1'], parent_id: '#1' });
    expect(second).toMatchObject({ depends_on: [first.task_id], parent_id: first.task_id });
    const { task } = await updateTask.run(context, { task_id: `${other.name}#1`, depends_on: [`${one.name}#2`] });
    expect(task.depends_on).toEqual([second.task_id]);
    const keyed = await createTasks.run(context, {
      project_id: one.id,
      tasks: [
        { key: '2', title: 'a', priority: 'medium' },
        { title: 'b', priority: 'medium', depends_on: ['2', '1'] },
      ],
    });
    expect(keyed.tasks[1]?.depends_on).toEqual([first.task_id, keyed.task_ids[0]].toSorted());
  });

  test('is never looked up where a task has the given text as its id', async () => {
    const { id } = await project();
    const line = { type: 'task', task_id: '700', project_id: id, title: 't', number: 800 };
    const near = { ...line, task_id: 'near', number: 700 };
    await importLines(context, [line, near].map((one) => JSON.stringify(one)).join('\n'));
    expect(await resolveTaskId(context, '700')).toBe('700');
    expect(await resolveTaskId(context, '800')).toBe('700');
    expect(await resolveTaskId(context, '#700')).toBe('near');
  });

  test('is exported, and an import keeps it where it is free', async () => {
    const { id } = await project();
    await create(id);
    const line = (task_id: string, number?: number) =>
      JSON.stringify({ type: 'task', task_id: `${id}-${task_id}`, project_id: id, title: 't', number });
    const lines = [line('kept', 30), line('taken', 1), line('twice', 30), line('none')];
    const { renumbered } = await importLines(context, lines.join('\n'));
    expect(renumbered).toEqual([
      { task_id: `${id}-taken`, from: 1, to: 31 },
      { task_id: `${id}-twice`, from: 30, to: 32 },
    ]);
    expect(await numbersOf(id)).toEqual([1, 30, 31, 32, 33]);
    expect((await create(id)).number).toBe(34);
    const exported: unknown[] = [];
    for await (const one of exportLines(context, id)) exported.push((JSON.parse(one) as { number?: number }).number);
    expect(exported).toEqual([undefined, 1, 30, 31, 32, 33, 34]);
    const none = await importLines(context, JSON.stringify({ ...JSON.parse(line('new')), number: 20 }));
    expect(none).toEqual({ projects: 0, tasks: 1, skipped: 0 });
    expect((await create(id)).number).toBe(35);
  });
});
