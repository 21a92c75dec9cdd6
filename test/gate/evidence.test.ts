import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptChanges } from '../../src/gate/operation/accept-changes.ts';
import { createRun } from '../../src/gate/operation/create-run.ts';
import { getState } from '../../src/gate/operation/get-state.ts';
import { emit } from '../../src/gate/run/emit.ts';
import { verifyRun } from '../../src/gate/run/verify.ts';
import type { Context } from '../../src/kernel/context.ts';
import { entry } from '../../src/kernel/journal.ts';
import { Problem } from '../../src/kernel/problem.ts';
import type { Bench } from '../setup/context.ts';
import { makeBench } from '../setup/context.ts';

let bench: Bench;
let context: Context;

beforeAll(async () => {
  bench = await makeBench('sqlite');
  context = await bench.context();
});
afterAll(() => bench.close());

function write(path: string, text: string | Buffer): string {
  mkdirSync(dirname(join(bench.project, path)), { recursive: true });
  writeFileSync(join(bench.project, path), text);
  return path;
}

let made = 0;

/** A run of a process that consists of these guards: `go` leads from a to b to a final z, each behind all of them. */
async function begin(guards: object, more: object = {}): Promise<string> {
  const id = `p${++made}`;
  const names = Object.keys(guards);
  const body = {
    id,
    version: '1',
    initial_state: 'a',
    states: [{ name: 'a' }, { name: 'b' }, { name: 'z', is_final: true }],
    events: [{ name: 'go' }, { name: 'back' }],
    transitions: [
      { from: 'a', event: 'go', to: 'b', guards: names },
      { from: 'b', event: 'go', to: 'z', guards: names },
      { from: 'b', event: 'back', to: 'a' },
    ],
    guards,
    ...more,
  };
  write(`.sekisho/processes/${id}.yaml`, JSON.stringify(body));
  const started = (await createRun.run(context, { process_id: id })) as { run_id: string };
  return started.run_id;
}

async function stateOf(run: string): Promise<Record<string, any>> {
  return (await getState.run(context, { run_id: run })) as Record<string, any>;
}

/** The answer of an emit, or the problem that it threw. */
async function go(
  run: string,
  paths: readonly string[] = [],
  event = 'go',
  by = context,
): Promise<Record<string, any>> {
  const { revision } = await stateOf(run);
  try {
    const request = { runId: run, event, payload: {}, expectedRevision: revision as number, key: by.newId('k'), paths };
    return (await emit(by, request)).result;
  } catch (error) {
    if (error instanceof Problem) return { code: error.code, ...error.details };
    throw error;
  }
}

describe.each([true, false])('a worktree guard (git: %s)', (withGit) => {
  beforeAll(() => {
    rmSync(join(bench.project, '.git'), { recursive: true, force: true });
    if (withGit) execFileSync('git', ['init', '-q'], { cwd: bench.project });
  });

  test('lets pass what changed only where it may', async () => {
    const run = await begin({ notes: { type: 'worktree', changed_only: ['notes/**'] } });
    const pending = await stateOf(run);
    expect(pending['missing_guards'][0].current_status).toContain('compared when the event is emitted');
    write('src/a.ts', String(made));
    write('notes/1.md', String(made));
    const refused = await go(run);
    expect(refused['code']).toBe('GUARD_FAILED');
    expect(refused['missing_guards'][0]).toContain('src/a.ts');
    expect(refused['missing_guards'][0]).not.toContain('notes/1.md');
    rmSync(join(bench.project, 'src/a.ts'));
    expect(await go(run)).toMatchObject({ transition: { to_state: 'b' } });
    // The next state begins with the tree as it is now.
    expect(await go(run)).toMatchObject({ transition: { to_state: 'z' } });
  });

  test('does not take a refused try, or evidence that was kept, for a new beginning', async () => {
    const run = await begin(
      { still: { type: 'worktree', unchanged: ['**'] } },
      { artifacts: [{ type: 'note', path: 'notes/*' }] },
    );
    write('notes/2.md', `kept ${made}`);
    const kept = await go(run, ['notes/2.md']);
    expect(kept).toMatchObject({ accepted: true, transition: { from_state: 'a', to_state: 'a' } });
    expect((await go(run))['code']).toBe('GUARD_FAILED');
    rmSync(join(bench.project, 'notes/2.md'));
    expect(await go(run)).toMatchObject({ transition: { to_state: 'b' } });
  });

  test('asks for a change where one is needed, and a deletion is one', async () => {
    write('test/old.test.ts', 'x');
    const run = await begin({ tested: { type: 'worktree', changed: ['test/**'] } });
    expect((await go(run))['missing_guards'][0]).toContain('nothing has changed that fits test/**');
    rmSync(join(bench.project, 'test/old.test.ts'));
    expect(await go(run)).toMatchObject({ transition: { to_state: 'b' } });
  });

  test('a person accepts what changed', async () => {
    const run = await begin({ still: { type: 'worktree', unchanged: ['**'] } });
    write(`src/accepted-${made}.ts`, 'x');
    expect((await go(run))['missing_guards'][0]).toContain('sekisho admin accept-changes');
    const person = await bench.context('human');
    const accepted = (await acceptChanges.run(person, { run_id: run })) as Record<string, any>;
    expect(accepted['changes']).toEqual([{ path: `src/accepted-${made}.ts`, how: 'added' }]);
    expect(await go(run)).toMatchObject({ transition: { to_state: 'b' } });
    expect((await verifyRun(context.store, run)).fault).toBeUndefined();
  });

  test('what `not` makes of an unknown tree is no yes', async () => {
    const run = await begin({ odd: { type: 'not', guard: { type: 'worktree', changed: ['src/**'] } } });
    await context.store.commit(
      [{ sql: 'delete from tree_baseline where run_id = :run', args: { run } }],
      [entry(context, run, 'test', {})],
    );
    expect((await go(run))['missing_guards'][0]).toContain('it was not recorded');
  });
});

describe('a watched guard', () => {
  const receipt = (run: string, more: object) =>
    entry(context, run, 'hook.receipt', { client: 'claude', event: 'pre-tool-use', state: 'a', revision: 0, ...more });
  const named = (name: string, session?: string): Context => ({
    ...context,
    connection: { id: 'c', name, era: 'legacy', capabilities: {} },
    environment: session === undefined ? {} : { CLAUDE_CODE_SESSION_ID: session },
  });

  test('holds only where a hook of the same client and session has asked in this state', async () => {
    const run = await begin({ on: { type: 'watched' } });
    const claude = named('claude-code', 's1');
    expect((await go(run, [], 'go', claude))['missing_guards'][0]).toContain('no hook of claude-code has asked');
    await context.store.commit([], [receipt(run, { session: 's2' })]);
    await context.store.commit([], [receipt(run, { session: 's1', state: 'b' })]);
    await context.store.commit([], [receipt(run, { session: 's1', event: 'session-start' })]);
    expect((await go(run, [], 'go', claude))['code']).toBe('GUARD_FAILED');
    expect((await go(run, [], 'go', named('codex-mcp-client')))['code']).toBe('GUARD_FAILED');
    await context.store.commit([], [receipt(run, { session: 's1' })]);
    expect(await go(run, [], 'go', claude)).toMatchObject({ transition: { to_state: 'b' } });
    // The state before is not this one.
    expect((await go(run, [], 'go', claude))['code']).toBe('GUARD_FAILED');
  });
});
