import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Problem } from '../../src/kernel/problem.ts';
import type { Context } from '../../src/kernel/context.ts';
import { createAgent } from '../../src/work/operation/create-agent.ts';
import { createProject } from '../../src/work/operation/create-project.ts';
import { importLines } from '../../src/work/task/import.ts';
import { exportLines } from '../../src/work/task/transfer.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';

describe.each(databases)('an import on %s', (database) => {
  let bench: Bench;
  let context: Context;
  beforeAll(async () => {
    bench = await makeBench(database);
    context = await bench.context('human');
    await createProject.run(context, {
      name: 'p',
      working_directory: bench.project,
      auto_start: false,
      pool: false,
      id: 'prj_p',
    });
    await createAgent.run(context, { name: 'stranger', ai_type: 'claude', id: 'agt_stranger' });
  });
  afterAll(async () => bench.close());

  const task = (task_id: string, more: object = {}) =>
    JSON.stringify({ type: 'task', task_id, project_id: 'prj_p', title: 't', ...more });
  const project = { type: 'project', project_id: 'prj_q', project_name: 'q', working_directory: '/nowhere' };

  test.each([
    ['a task that is nowhere', task('b', { depends_on: ['c'] }), 'There is no task "c"'],
    ['a task that waits for itself', task('b', { depends_on: ['b'] }), 'cannot come after'],
    ['a task that is part of itself', task('b', { parent_id: 'b' }), 'cannot come after'],
    ['a process that is nowhere', task('b', { process_id: 'no-such-process' }), 'no-such-process'],
    ['an agent that is nowhere', task('b', { assignee_id: 'agt_no' }), 'agt_no'],
    ['an agent of no such project', task('b', { assignee_id: 'agt_stranger' }), 'not assigned to the project'],
    ['a project that is nowhere', task('b', { project_id: 'prj_no' }), 'There is no project "prj_no"'],
    ['a title that is too long', task('b', { title: 'x'.repeat(501) }), 'title'],
    ['a description that is too long', task('b', { description: 'x'.repeat(65_537) }), 'description'],
    ['a text with NUL', task('b', { title: 'a\0b' }), 'title'],
    ['a field that nobody knows', task('b', { colour: 'red' }), 'colour'],
    ['a state that nobody knows', task('b', { status: 'almost' }), 'status'],
    ['an id that came before', task('a'), '"a" is already in line 1'],
    ['a project with an unknown agent', JSON.stringify({ ...project, agents: ['agt_no'] }), 'agt_no'],
    ['half a line', '{"type":', 'it is not valid JSON'],
  ])('is refused with the line for %s', async (_, line, reason) => {
    const refused = await importLines(context, `${task('a')}\n\n${line}\n`).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Problem);
    const { code, params } = refused as Problem<{ line: number; reason: string }>;
    expect({ code, line: params.line }).toEqual({ code: 'IMPORT_INVALID', line: 3 });
    expect(params.reason).toContain(reason);
    const kept = [];
    for await (const one of exportLines(context, undefined)) kept.push(one);
    expect(kept).toHaveLength(1);
  });

  test('is refused for tasks that wait for each other in a circle, however long', async () => {
    const ring = Array.from({ length: 5000 }, (_, n) => task(`t${n}`, { depends_on: [`t${(n + 1) % 5000}`] }));
    await expect(importLines(context, ring.join('\n'))).rejects.toMatchObject({ code: 'IMPORT_INVALID' });
  });
});
