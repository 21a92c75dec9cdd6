import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { isAlive, processes } from '../setup/processes.ts';
import { until } from '../setup/until.ts';
import { requires } from './requirements.ts';
import { configure, fixture, notes, startHttp } from './upstream-fixture.ts';
import { type World, inOneWorld } from './world.ts';

/** `npm test` turns it ten times; a hundred for the record: SEKISHO_UPSTREAM_ROUNDS=100. */
const rounds = Number(process.env['SEKISHO_UPSTREAM_ROUNDS'] ?? 10);

const logOf = (world: World) => join(world.project, 'fixture.log');

const pidOf = async (world: World) => Number((await world.call('pid')).text);

const gatedPlain = (log: string) => ({
  command: fixture('plain'),
  env: { FIXTURE_LOG: log },
  skill: 'penpot',
  init: { tool: 'execute_code', argument: 'code', script: 'init.js' },
});

const family = (log: string) => notes(log).flatMap((line) => /^(?:start|child) (\d+)$/.exec(line)?.[1] ?? []);

inOneWorld('stdio', 'sqlite', (test) => {
  test(requires('upstream.disconnected'), async ({ world }) => {
    const log = logOf(world);
    world.write('init.js', 'prepare();');
    configure(world, { penpot: gatedPlain(log) });
    await world.call('activate');
    process.kill(await pidOf(world), 'SIGKILL');
    await until('it is noticed', async () => (await world.call('add', { a: 1, b: 2 })).isError);
    const { text } = await world.call('add', { a: 1, b: 2 });
    expect(text).toContain('disconnected');
    expect(text).toContain('Call activate again');
    expect(text).toContain('上流MCP切断。activate を再度呼んでください');
    // It does not come back by itself, however often it is called.
    for (let count = 0; count < 3; count++) expect((await world.call('add', { a: 1, b: 2 })).isError).toBe(true);
    const again = await world.call('activate');
    expect(again.value['upstreams'][0]).toMatchObject({
      connected_now: true,
      initialized_now: true,
      unlocked_now: false,
    });
    expect((await world.call('add', { a: 1, b: 2 })).text).toBe('3');
    expect(notes(log).filter((line) => line === 'code prepare();')).toHaveLength(2);
  });

  test('why an upstream is away is said in the language of whoever reads it', async ({ world }) => {
    const script = 'process.stderr.write("no key\\n"); process.exit(3);';
    configure(world, {
      ended: { command: [process.execPath, '-e', script] },
      missing: { command: ['no-such-program'] },
    });
    const japanese = await world.client({ env: { SEKISHO_LANG: 'ja' } });
    const [ended, missing] = ['終了コード 3 で終了しました: no key', 'プログラム no-such-program が見つかりません'];
    const activate = async (upstream: string) => (await world.call('activate', { upstream }, japanese)).text;
    expect(await activate('ended')).toContain(ended);
    expect(await activate('missing')).toContain(missing);
    const upstreams = async (client?: Client) => (await world.call('upstream.status', {}, client)).value['upstreams'];
    expect(await upstreams(japanese)).toMatchObject([{ cause: ended }, { cause: missing }]);
    // Another server reads what the first one wrote down.
    expect(await upstreams()).toMatchObject([
      { servers: [{ cause: 'it ended with exit code 3: no key' }] },
      { servers: [{ cause: 'the program no-such-program was not found' }] },
    ]);
  });

  test(requires('upstream.activate.init-fails'), async ({ world }) => {
    const log = logOf(world);
    world.write('init.js', 'prepare();');
    configure(world, { penpot: { ...gatedPlain(log), env: { FIXTURE_LOG: log, FIXTURE_INIT: 'fail' } } });
    const { isError, text } = await world.call('activate');
    expect(isError).toBe(true);
    expect(text).toContain('ReferenceError: penpot is not defined');
    expect((await world.call('add', { a: 1, b: 2 })).text).toContain('locked');
  });

  test(requires('upstream.activate.init-fails-unlocked'), async ({ world }) => {
    const log = logOf(world);
    world.write('init.js', 'prepare();');
    configure(world, {
      penpot: { ...gatedPlain(log), env: { FIXTURE_LOG: log, FIXTURE_INIT_FILE: join(world.project, 'bad') } },
    });
    await world.call('activate');
    process.kill(await pidOf(world), 'SIGKILL');
    await until('it is noticed', async () => (await world.call('add', { a: 1, b: 2 })).isError);
    writeFileSync(join(world.project, 'bad'), '');
    expect((await world.call('activate')).text).toContain('ReferenceError');
    expect((await world.call('add', { a: 1, b: 2 })).text).toContain('disconnected');
  });

  test(requires('upstream.activate.verifies'), async ({ world }) => {
    const log = logOf(world);
    configure(world, { odd: { command: fixture('odd', 'deaf'), env: { FIXTURE_LOG: log }, skill: 'x' } });
    await world.call('activate');
    expect((await world.call('hello')).text).toBe('hello');
    // It does not answer the question whether it lives: it is replaced by a new one.
    const { value } = await world.call('activate');
    expect(value['upstreams'][0]).toMatchObject({ connected_now: true });
    expect(notes(log).filter((line) => line.startsWith('start'))).toHaveLength(2);
    expect((await world.call('hello')).text).toBe('hello');
  });

  test(requires('upstream.transparent'), async ({ world }) => {
    configure(world, { plain: { command: fixture('plain') } });
    const first = await pidOf(world);
    process.kill(first, 'SIGKILL');
    await until('it has gone', () => !isAlive(first));
    const second = await pidOf(world);
    expect(second).not.toBe(first);
    // The call does not wait for the note that the connection came back.
    const status = async () => (await world.call('upstream.status')).value['upstreams'][0].reconnects as number;
    await until('it is noted', status, (reconnects) => reconnects === 1);
  });

  test('an upstream that lived for a while is waited for as if it had never failed', async ({ world }) => {
    const log = logOf(world);
    configure(world, { plain: { command: fixture('plain'), env: { FIXTURE_LOG: log } } });
    const [ahead, waits] = [join(world.project, 'ahead'), join(world.project, 'waits')];
    const client = await world.client({
      env: {
        NODE_OPTIONS: `--require=${join(import.meta.dirname, '../fixtures/preload/clock.cjs')}`,
        CLOCK_AHEAD: ahead,
        CLOCK_NOTES: waits,
      },
    });
    await world.call('add', { a: 1, b: 2 }, client);
    const state = async () => (await world.call('upstream.status', {}, client)).value['upstreams'][0];
    const die = async (count: number) => {
      process.kill(Number(family(log).at(-1)), 'SIGKILL');
      await until('it is back', state, (one) => one.reconnects === count && one.state === 'connected');
    };
    for (let count = 1; count <= 3; count++) await die(count);
    expect(Number(notes(waits).at(-1))).toBeGreaterThanOrEqual(200);
    world.write('ahead', '60000');
    await die(4);
    expect(Number(notes(waits).at(-1))).toBeLessThanOrEqual(100);
  });

  test(requires('upstream.retry.sent'), async ({ world }) => {
    const log = logOf(world);
    configure(world, { plain: { command: fixture('plain'), env: { FIXTURE_LOG: log } } });
    const pid = await pidOf(world);
    const running = world.call('wait', { ms: 20_000 });
    await until('it runs', () => notes(log).includes('wait 20000'));
    process.kill(pid, 'SIGKILL');
    const { isError, text } = await running;
    expect(isError).toBe(true);
    expect(text).toContain('may have run');
    expect((await world.call('add', { a: 1, b: 2 })).text).toBe('3');
    expect(notes(log).filter((line) => line === 'wait 20000')).toHaveLength(1);
  });

  test(requires('upstream.retry.idempotent'), async ({ world }) => {
    const log = logOf(world);
    configure(world, { plain: { command: fixture('plain'), env: { FIXTURE_LOG: log } } });
    const pid = await pidOf(world);
    const running = world.call('wait_safely', { ms: 4000 });
    await until('it runs', () => notes(log).includes('wait_safely 4000'));
    process.kill(pid, 'SIGKILL');
    const { text } = await running;
    expect(text).toMatch(/^waited in \d+$/);
    expect(text).not.toContain(String(pid));
    expect(notes(log).filter((line) => line === 'wait_safely 4000')).toHaveLength(2);
  });

  test(requires('upstream.retry.unsent'), async ({ world }) => {
    const upstream = await startHttp(['plain', 'http']);
    configure(world, { plain: { url: `http://127.0.0.1:${upstream.port}/mcp` } });
    await world.call('add', { a: 1, b: 2 });
    await upstream.kill();
    // Nobody listens: the call waits for the upstream to come back, and is sent then.
    const waiting = world.call('add', { a: 20, b: 2 });
    const status = async () => (await world.call('upstream.status')).value['upstreams'][0].state as string;
    await until('it is missed', status, (state) => state !== 'connected');
    await upstream.restart();
    expect((await waiting).text).toBe('22');
  });

  test(requires('upstream.http.restart'), async ({ world }) => {
    const upstream = await startHttp(['plain', 'http']);
    world.write('init.js', 'prepare();');
    const url = `http://127.0.0.1:${upstream.port}/mcp`;
    configure(world, {
      open: { url },
      gated: { url, skill: 'x', init: { tool: 'execute_code', argument: 'code', script: 'init.js' } },
    });
    await world.call('activate', { upstream: 'gated' });
    expect((await world.call('gated_add', { a: 1, b: 2 })).text).toBe('3');
    expect((await world.call('open_add', { a: 1, b: 2 })).text).toBe('3');
    await upstream.restart();
    expect((await world.call('open_add', { a: 2, b: 2 })).text).toBe('4');
    // Its session went with the old process, so the init script must run again.
    expect((await world.call('gated_add', { a: 1, b: 2 })).text).toContain('disconnected');
    expect((await world.call('activate', { upstream: 'gated' })).value['upstreams'][0]).toMatchObject({
      initialized_now: true,
    });
    expect((await world.call('gated_add', { a: 1, b: 2 })).text).toBe('3');
  });

  test(
    requires('upstream.soak'),
    async ({ world }) => {
      const log = logOf(world);
      const upstream = await startHttp(['plain', 'http'], { FIXTURE_LOG: log });
      world.write('init.js', 'prepare();');
      configure(world, {
        pipe: { command: fixture('plain'), env: { FIXTURE_LOG: log } },
        web: { url: `http://127.0.0.1:${upstream.port}/mcp` },
        gated: gatedPlain(log),
      });
      await world.call('activate');
      for (let round = 0; round < rounds; round++) {
        const pipe = Number((await world.call('pipe_pid')).text);
        const gated = Number((await world.call('gated_pid')).text);
        const running = (['pipe', 'web', 'gated'] as const).map((name) => world.call(`${name}_wait`, { ms: 20_000 }));
        const begun = () => notes(log).filter((line) => line === 'wait 20000').length;
        await until('all three run', () => begun() === 3 * (round + 1));
        process.kill(pipe, 'SIGKILL');
        process.kill(gated, 'SIGKILL');
        await upstream.restart();
        for (const answer of await Promise.all(running)) expect(answer.text).toMatch(/may have run/);
        for (const name of ['pipe', 'web', 'gated'] as const) {
          if (name === 'gated') expect((await world.call('activate')).isError).toBe(false);
          expect((await world.call(`${name}_add`, { a: round, b: 1 })).text).toBe(String(round + 1));
        }
      }
    },
    120_000 + rounds * 20_000,
  );

  test(requires('upstream.pass.cancel'), async ({ world }) => {
    const log = logOf(world);
    configure(world, { plain: { command: fixture('plain'), env: { FIXTURE_LOG: log } } });
    const client = await world.client();
    const stop = new AbortController();
    const running = client.callTool({ name: 'wait', arguments: { ms: 20_000 } }, { signal: stop.signal });
    await until('it runs', () => notes(log).includes('wait 20000'));
    stop.abort('enough');
    await expect(running).rejects.toThrow('enough');
    await until('the upstream heard it', () => notes(log).includes('cancelled'));
  });

  test(requires('upstream.children.end'), async ({ world }) => {
    const log = logOf(world);
    configure(world, { odd: { command: fixture('odd', 'stubborn'), env: { FIXTURE_LOG: log } } });
    const client = await world.client();
    await world.call('hello', {}, client);
    const pids = family(log).map(Number);
    expect(pids).toHaveLength(3);
    expect(pids.every(isAlive)).toBe(true);
    await client.close();
    await until('all have ended', () => !pids.some(isAlive));
  });

  test(requires('upstream.children.swept'), async ({ world }) => {
    const log = logOf(world);
    configure(world, { odd: { command: fixture('odd', 'stubborn'), env: { FIXTURE_LOG: log } } });
    const client = await world.client();
    const { value } = await world.call('upstream.status', { check: true }, client);
    const pids = family(log).map(Number);
    expect(pids.every(isAlive)).toBe(true);
    process.kill(value['upstreams'][0].servers[0].pid as number, 'SIGKILL');
    await until('the server has gone', () => !isAlive(value['upstreams'][0].servers[0].pid as number));
    expect(pids.some(isAlive)).toBe(true);
    const next = await world.client();
    await next.listTools();
    await until('all have ended', () => !pids.some(isAlive));
  });

  test(
    requires('upstream.children.restarts'),
    async ({ world }) => {
      const log = logOf(world);
      configure(world, { plain: { command: fixture('plain'), env: { FIXTURE_LOG: log } } });
      const client = await world.client();
      for (let round = 0; round < rounds; round++) {
        // It may die before it has read the call, and this one may be repeated then.
        const { text } = await world.call('wait_safely', { ms: 0 }, client);
        process.kill(Number(text.split(' ').at(-1)), round % 2 === 0 ? 'SIGKILL' : 'SIGTERM');
      }
      await world.call('wait_safely', { ms: 0 }, client);
      const pids = family(log).map(Number);
      expect(pids.length).toBeGreaterThan(rounds);
      await until('one is left', () => pids.filter(isAlive).length === 1);
      await client.close();
      await until('none is left', () => !pids.some(isAlive));
      expect(processes(({ environment }) => environment.includes(`FIXTURE_LOG=${log}`))).toEqual([]);
    },
    120_000 + rounds * 10_000,
  );
});
