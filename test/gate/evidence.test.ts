import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { linkSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { acceptChanges } from '../../src/gate/operation/accept-changes.ts';
import { forgetEvidence } from '../../src/gate/operation/forget-evidence.ts';
import { readEvidence } from '../../src/gate/operation/read-evidence.ts';
import { trust } from '../../src/gate/operation/trust.ts';
import { createRun } from '../../src/gate/operation/create-run.ts';
import { getState } from '../../src/gate/operation/get-state.ts';
import { emit } from '../../src/gate/run/emit.ts';
import type { Context } from '../../src/kernel/context.ts';
import { entry } from '../../src/kernel/store/journal.ts';
import { tables } from '../../src/app/tables.ts';
import { verifyStore } from '../../src/store/verify.ts';
import { Problem } from '../../src/kernel/problem.ts';
import { type Bench, makeBench } from '../setup/context.ts';
import { canMap, mapFile } from '../setup/mapping.ts';
import { row } from '../setup/security.ts';

/** How often the race is run; fewer in CI. */
const races = Number(process.env['SEKISHO_RACES'] ?? 1000);

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

  test(`${row('evidence.outcome')} does not take a refused try, or evidence that was kept, for a new beginning`, async () => {
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

  test(`${row('evidence.hidden')} goes on seeing a file that an earlier state had, whatever is ignored since`, async () => {
    write('src/seen.ts', '1');
    const run = await begin({ rules: { type: 'worktree', changed_only: ['.gitignore'] } });
    write('.gitignore', 'src/\n');
    expect(await go(run)).toMatchObject({ transition: { to_state: 'b' } });
    write('src/seen.ts', '2');
    const refused = await go(run);
    rmSync(join(bench.project, '.gitignore'));
    rmSync(join(bench.project, 'src/seen.ts'));
    expect(refused['code']).toBe('GUARD_FAILED');
    expect(refused['missing_guards'][0]).toContain('src/seen.ts');
  });

  test.runIf(canMap)(
    `${row('evidence.hidden')} reads every file: a write that leaves size, times and inode as they were is seen`,
    async () => {
      const mapping = await mapFile(join(bench.project, write('src/mapped.ts', '- a mapped file')));
      try {
        const run = await begin({ still: { type: 'worktree', unchanged: ['**'] } });
        await mapping.write('1');
        expect((await go(run))['missing_guards'][0]).toContain('src/mapped.ts');
        await mapping.write('0');
        expect(await go(run)).toMatchObject({ transition: { to_state: 'b' } });
        // What the next state begins with is read too.
        await mapping.write('2');
        await go(run, [], 'back');
        expect(await go(run)).toMatchObject({ transition: { to_state: 'b' } });
      } finally {
        mapping.close();
        rmSync(join(bench.project, 'src/mapped.ts'));
      }
    },
  );

  test('asks for a change where one is needed, and a deletion is one', async () => {
    write('test/old.test.ts', 'x');
    const run = await begin({ tested: { type: 'worktree', changed: ['test/**'] } });
    expect((await go(run))['missing_guards'][0]).toContain('no file that matches test/** has changed');
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
    expect((await verifyStore(context.store, tables)).faults).toEqual([]);
  });

  test(`${row('evidence.outcome')} what \`not\` makes of an unknown tree is no yes`, async () => {
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
    connection: {
      id: 'c',
      shared: 'c',
      name,
      era: 'legacy',
      capabilities: {},
      voice: undefined,
      standing: () => undefined,
      ...(session !== undefined && { session }),
    },
  });

  test(`${row('hooks.silent')} holds only where a hook of the same client and session has asked in this state`, async () => {
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

const notes = { artifacts: [{ type: 'note', path: 'notes/**' }] };
const sha256 = (text: string | Buffer) => createHash('sha256').update(text).digest('hex');
const rowsOf = async (sql: string) => (await context.store.read([{ sql, args: {} }]))[0] ?? [];

describe('a file as evidence', () => {
  const hasNote = { note: { type: 'artifact', artifact_type: 'note' } };
  const faultOf = async (path: string) =>
    (await go(await begin(hasNote, notes), [path]))['validation_errors']?.[0]?.message as string;

  test(`${row('evidence.empty')} an empty one is none, neither handed in nor found`, async () => {
    expect(await faultOf(write('notes/empty.md', ''))).toContain('an empty file cannot be evidence');
    const run = await begin({ there: { type: 'artifact_exists', paths: ['notes/empty.md'] } });
    expect((await go(run))['missing_guards'][0]).toContain('or empty');
  });

  test(`${row('evidence.empty')} nothing of ours is one`, async () => {
    expect(await faultOf(write('.sekisho/notes/own.md', 'ours'))).toContain('belongs to Sekisho');
    symlinkSync('../.sekisho/processes/p1.yaml', join(bench.project, 'notes/linked.md'));
    expect(await faultOf('notes/linked.md')).toContain('belongs to Sekisho');
  });

  test(`${row('evidence.link')} one with several hard links is refused, and its content is neither kept nor shown`, async () => {
    const outside = join(bench.project, '../outside.md');
    writeFileSync(outside, 'a secret of somebody else');
    linkSync(outside, join(bench.project, 'notes/outside.md'));
    expect(await faultOf('notes/outside.md')).toMatch(/several hard links.*Copy the file/);
    // A build that links its results passes a guard that asks whether they exist.
    const run = await begin({ there: { type: 'artifact_exists', paths: ['notes/outside.md'] } }, notes);
    expect(await go(run)).toMatchObject({ transition: { to_state: 'b' } });
    const kept = Buffer.from('a secret of somebody else').toString('base64');
    expect(await rowsOf(`select digest from kept_bytes where body = '${kept}'`)).toEqual([]);
    const person = await bench.context('human');
    const shown = await readEvidence.run(person, { run_id: run, path: 'notes/outside.md', version: 'working' });
    expect(shown).toMatchObject({ text: null, base64: null });
    const copy = write('notes/copy.md', readFileSync(outside, 'utf8'));
    expect(await go(await begin(hasNote, notes), [copy])).toMatchObject({ transition: { to_state: 'b' } });
    rmSync(outside);
    expect(await go(await begin(hasNote, notes), ['notes/outside.md'])).toMatchObject({
      transition: { to_state: 'b' },
    });
  });

  test(`${row('evidence.large')} a pipe, a folder and what is too large are refused at once`, async () => {
    execFileSync('mkfifo', [join(bench.project, 'notes/pipe.md')]);
    expect(await faultOf('notes/pipe.md')).toContain('not a regular file');
    expect(await faultOf('notes')).toContain('not a regular file');
    const large = join(bench.project, 'notes/large.md');
    // Nobody would come to the end of it.
    execFileSync('truncate', ['-s', '4T', large]);
    expect(await faultOf('notes/large.md')).toContain('gate.maxArtifactBytes');
    rmSync(large);
  });

  test(`${row('evidence.empty')} counts only with its length and its headings`, async () => {
    const guards = {
      note: {
        type: 'artifact',
        artifact_type: 'note',
        condition: 'count',
        min_count: 2,
        min_bytes: 30,
        contains: ['## Cause'],
      },
    };
    const run = await begin(guards, notes);
    await go(run, [write('notes/good.md', '# Fault\n\n## Cause\nThe index was off.\n')]);
    await go(run, [write('notes/short.md', '## Cause\n')]);
    await go(run, [write('notes/other.md', '# Fault\nIt says ## Cause somewhere, and ## Causes.\n## Causes\n')]);
    const { missing_guards } = await stateOf(run);
    expect(missing_guards[0].current_status).toContain('(current: 1, required: 2)');
    expect(missing_guards[0].current_status).toContain('notes/short.md does not count: it has fewer than 30 bytes');
    expect(missing_guards[0].current_status).toContain('notes/other.md does not count: no line "## Cause"');
    // What was handed in counts, whatever became of the file since.
    rmSync(join(bench.project, 'notes/good.md'));
    const second = write('notes/second.md', '## Cause: another\nThe cache was off too.\n');
    expect(await go(run, [second])).toMatchObject({ transition: { to_state: 'b' } });
  });

  test('its bytes are kept by digest until a person removes them', async () => {
    const run = await begin(hasNote, notes);
    await go(run, [write('notes/kept.md', 'to be kept')]);
    const digest = sha256('to be kept');
    const kept = () => rowsOf(`select body from kept_bytes where digest = '${digest}'`);
    expect(await kept()).toEqual([{ body: Buffer.from('to be kept').toString('base64') }]);
    const person = await bench.context('human');
    expect(await forgetEvidence.run(person, { digest })).toEqual({ digest, size: 10 });
    expect(await kept()).toEqual([]);
    await expect(forgetEvidence.run(person, { digest })).rejects.toMatchObject({ code: 'EVIDENCE_NOT_KEPT' });
    expect((await verifyStore(context.store, tables)).faults).toEqual([]);
  });

  test(`${row('evidence.swap')} a link or a pipe that takes its place while it is read changes nothing`, async () => {
    const outside = mkdtempSync(join(tmpdir(), 'sekisho-outside-'));
    writeFileSync(join(outside, 'secret.md'), 'secret');
    mkdirSync(join(outside, 'race'));
    writeFileSync(join(outside, 'race/note.md'), 'secret');
    const swapper = spawn(process.execPath, [
      join(import.meta.dirname, '../fixtures/swap-links.mjs'),
      bench.project,
      outside,
    ]);
    await once(swapper.stdout, 'data');
    try {
      const run = await begin(
        { never: { type: 'artifact', artifact_type: 'note', condition: 'count', min_count: 1e6 } },
        notes,
      );
      const outcomes = new Set<string>();
      // Until it has met both, however the two processes take turns.
      const met = () => outcomes.has('INVALID_PAYLOAD') && (outcomes.has('accepted') || outcomes.has('GUARD_FAILED'));
      for (let round = 0; round < races || !met(); round++) {
        const answer = await go(run, ['notes/race/note.md']);
        outcomes.add(String(answer['code'] ?? 'accepted'));
      }
      const allowed = new Set(['inside', 'inside again'].map(sha256));
      const recorded = await rowsOf(`select digest from artifact_version where run_id = '${run}'`);
      expect(recorded.every((row) => allowed.has(String(row['digest'])))).toBe(true);
      expect(await rowsOf(`select digest from kept_bytes where digest = '${sha256('secret')}'`)).toEqual([]);
      expect(outcomes).toContain('INVALID_PAYLOAD');
      expect(recorded.length).toBeGreaterThan(0);
    } finally {
      swapper.kill('SIGKILL');
      rmSync(outside, { recursive: true, force: true });
    }
  }, 600_000);
});

describe('a command guard', () => {
  test('runs the configured test command, and says how to configure one', async () => {
    const guards = { tested: { type: 'command', command: { config: 'test' } } };
    const run = await begin(guards);
    expect((await go(run))['missing_guards'][0]).toContain('sekisho init --test-command');
    write('.sekisho/config.yaml', `test: [node, -e, 'console.log("x".repeat(100000)); process.exitCode = 3']\n`);
    await bench.trustConfiguration();
    const configured = await bench.context();
    const person = await bench.context('human');
    await trust.run(person, { files: [`p${made}`] });
    expect((await go(run, [], 'go', configured))['missing_guards'][0]).toContain('exit code (current: 3, required: 0)');
    write('.sekisho/config.yaml', `test: [node, -e, 'console.log("fine".repeat(30000))']\n`);
    await bench.trustConfiguration();
    expect(await go(run, [], 'go', await bench.context())).toMatchObject({ transition: { to_state: 'b' } });
    const [row] = await rowsOf(
      `select data from journal where subject = '${run}' and kind = 'run.event' order by seq desc limit 1`,
    );
    const note = (JSON.parse(String(row?.['data'])) as Record<string, any>)['guards'][0];
    expect(note).toMatchObject({
      guard: 'tested',
      command: ['node', '-e', 'console.log("fine".repeat(30000))'],
      exit_code: 0,
    });
    const [output] = await rowsOf(`select size from kept_bytes where digest = '${note['output']}'`);
    expect(output).toEqual({ size: 64 * 1024 });
    rmSync(join(bench.project, '.sekisho/config.yaml'));
  });

  test.for([
    ['beside it', (passes: object, tests: object) => ({ passes, tests })],
    ['in one guard with it', (passes: object, tests: object) => ({ both: { type: 'all', guards: [passes, tests] } })],
    [
      'deep inside',
      (passes: object, tests: object) => {
        const changed = { type: 'not', guard: tests };
        return {
          both: {
            type: 'all',
            guards: [
              { type: 'not', guard: changed },
              { type: 'any', guards: [passes] },
            ],
          },
        };
      },
    ],
  ] as const)(
    `${row('evidence.outcome')} what changed in the work tree while it ran is seen (%s)`,
    async ([, guards]) => {
      const program = "require('node:fs').appendFileSync('test/weakened.ts', 'x')";
      const passes = { type: 'command', command: [process.execPath, '-e', program] };
      const run = await begin(guards(passes, { type: 'worktree', unchanged: ['test/**'] }));
      mkdirSync(join(bench.project, 'test'), { recursive: true });
      await trust.run(await bench.context('human'), { files: [`p${made}`] });
      const refused = await go(run);
      expect(refused['code']).toBe('GUARD_FAILED');
      expect((await stateOf(run))['revision']).toBe(0);
      // It ran once.
      expect(readFileSync(join(bench.project, 'test/weakened.ts'), 'utf8')).toBe('x');
      rmSync(join(bench.project, 'test/weakened.ts'));
    },
  );
});
