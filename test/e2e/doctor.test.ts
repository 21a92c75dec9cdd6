import { mkdirSync, readFileSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { getBubblewrap } from '../../scripts/get-bubblewrap.mjs';
import { makeWorld } from './world.ts';
import { row } from '../setup/security.ts';
import { until } from '../setup/until.ts';

interface Check {
  readonly name: string;
  readonly ok: boolean;
  readonly found: string;
  readonly remedy?: string;
}

const missing = getBubblewrap();
if (missing !== undefined) process.stderr.write(`\n*** THE SANDBOX IS NOT TESTED: ${missing} ***\n\n`);

test('a run without any client that asks is named, and a client counts if its files ask us', async () => {
  const world = await makeWorld('stdio', 'sqlite');
  onTestFinished(() => world.close());
  const check = async (name: string) => {
    const { json } = await world.cli(['doctor', '--json']);
    return (json['checks'] as readonly Check[]).find((one) => one.name === name);
  };
  await world.cli(['gate', 'create-run', '--process-id', 'explore-plan-implement-verify', '--json']);
  // Files of Claude Code and of Copilot, in which nobody is asked.
  writeFileSync(join(world.project, '.mcp.json'), '{}');
  expect(await check('hooks')).toMatchObject({ ok: false, remedy: expect.stringContaining('sekisho init') as unknown });
  await world.cli(['init', '--client', 'copilot']);
  expect(await check('hooks')).toBeUndefined();
  const both = await Promise.all([['doctor'], ['status', '--check']].map((one) => world.cli([...one, '--json'])));
  expect(both[1]).toEqual(both[0]);
  expect(await check('copilot hooks')).toMatchObject({ ok: true });
  const { sandbox } = (await world.call('state_gate.get_state', {})).value as { sandbox: { found: string } };
  expect(sandbox.found).toContain('sekisho run copilot');
  const { json } = await world.cli(['status', '--json']);
  const ring = (json['rings'] as readonly Check[]).find((one) => one.name === 'sandbox');
  if (missing === undefined) expect(ring).toMatchObject({ remedy: 'sekisho run copilot' });
});

test('a client that connects to the daemon is tried there, and what is wrong with its address is named', async () => {
  const world = await makeWorld('stdio', 'sqlite');
  onTestFinished(() => world.close());
  await world.cli(['init', '--client', 'qwen']);
  const settings = join(world.env['HOME'] ?? '', '.qwen/settings.json');
  const { hooks } = JSON.parse(readFileSync(settings, 'utf8')) as Record<string, unknown>;
  const server = async (httpUrl: string, headers: object = { Authorization: 'Bearer ${SEKISHO_AGENT_TOKEN}' }) => {
    writeFileSync(settings, JSON.stringify({ hooks, mcpServers: { sekisho: { httpUrl, headers } } }));
    const { json } = await world.cli(['status', '--json']);
    const rings = json['rings'] as readonly { name: string; client?: string; state: string; found: string }[];
    const ring = rings.find((one) => one.name === 'server' && one.client === 'qwen');
    const { json: told } = await world.cli(['doctor', '--json']);
    const check = (told['checks'] as readonly Check[]).find((one) => one.name === 'qwen server');
    expect(check?.ok).toBe(ring?.state !== 'broken');
    return ring;
  };
  const named = `?project=${world.project}`;
  const before = await server(`http://127.0.0.1:9696/mcp${named}`);
  expect(before).toMatchObject({
    state: 'broken',
    found: expect.stringContaining('not running'),
    remedy: 'sekisho up',
  });
  const { url, token } = await world.daemon();
  const other = join(world.env['HOME'] ?? '', 'other');
  mkdirSync(other);
  expect(await server(`${url}/mcp${named}`)).toMatchObject({ state: 'on' });
  expect(await server(`${url.replace('127.0.0.1', 'localhost')}/mcp/gate${named}`)).toMatchObject({ state: 'on' });
  expect(await server(`${url}/mcp${named}`, { authorization: `Bearer ${token('agent')}` })).toMatchObject({
    state: 'on',
  });
  const faults: readonly (readonly [string, object | undefined, string])[] = [
    [`${url}/mcp${named}`, {}, 'without a token'],
    [`${url}/mcp${named}`, { Authorization: 'Bearer made-up' }, 'does not answer'],
    [`http://127.0.0.1:9/mcp${named}`, undefined, `the daemon is at ${url}`],
    [`${url}/${named}`, undefined, 'serves MCP at /mcp'],
    [`${url}/mcp?project=${other}`, undefined, `connects to the project ${other}`],
    ['nowhere', undefined, 'not a URL'],
  ];
  for (const [address, headers, found] of faults)
    expect(await server(address, headers), address).toMatchObject({
      state: 'broken',
      found: expect.stringContaining(found),
      remedy: expect.stringContaining('sekisho up'),
    });
  expect(await server(`https://gate.example.org/mcp${named}`)).toMatchObject({ state: 'unknown' });
  await world.cli(['init', other]);
  expect(await server(`${url}/mcp`)).toMatchObject({ state: 'broken', found: expect.stringContaining('names none') });
});

test('files that nobody has seen are named by status, doctor and the head of get_state', async () => {
  const world = await makeWorld('stdio', 'sqlite');
  onTestFinished(() => world.close());
  const look = async () => {
    const { json } = await world.cli(['status', '--json']);
    const rings = json['rings'] as readonly { name: string; client?: string; state: string; found: string }[];
    const head = Object.entries((await world.call('state_gate.get_state', {})).value);
    return {
      ring: rings.find((one) => one.name === 'trust' && one.client === undefined),
      head: Object.fromEntries(
        head.slice(
          0,
          head.findIndex(([key]) => key === 'run_id'),
        ),
      ),
    };
  };
  world.write('.sekisho/config.yaml', 'lang: en\n');
  await world.cli(['gate', 'create-run', '--process-id', 'explore-plan-implement-verify', '--json']);
  expect(await look()).toMatchObject({
    ring: { state: 'on' },
    head: {
      trust: { configuration: 'trusted', definition: 'trusted' },
      sandbox: { state: 'off', found: expect.stringContaining('sekisho run') },
    },
  });
  writeFileSync(
    join(world.project, '.sekisho/processes/mine.yaml'),
    'id: mine\nversion: "1"\ninitial_state: a\nstates: [{ name: a, is_final: true }]\nevents: []\ntransitions: []\n',
  );
  expect(await look()).toMatchObject({
    ring: { state: 'off', found: expect.stringContaining('.sekisho/processes/mine.yaml'), remedy: 'sekisho trust' },
  });
  writeFileSync(join(world.project, '.sekisho/config.yaml'), 'lang: en\nhook: { fail: open }\n');
  expect(await look()).toMatchObject({
    ring: { state: 'broken', found: expect.stringContaining('.sekisho/config.yaml'), remedy: 'sekisho trust' },
  });
  const { json, code } = await world.cli(['doctor', '--json']);
  const checks = json['checks'] as readonly Check[];
  expect(code).toBe(1);
  expect(checks.find((one) => one.name === 'trust')).toMatchObject({ ok: false, remedy: 'sekisho trust' });
  const fresh = await world.client();
  expect((await world.call('state_gate.get_state', {}, fresh)).value).toMatchObject({
    trust: { configuration: 'changed', definition: 'trusted' },
  });
});

test('status and doctor make nothing in a project whose .sekisho is gone, not even for a moment', async () => {
  const world = await makeWorld('stdio', 'sqlite');
  onTestFinished(() => world.close());
  rmSync(join(world.project, '.sekisho'), { recursive: true });
  const seen = new Set<string | null>();
  const watcher = watch(world.project, (_, name) => seen.add(name));
  onTestFinished(() => watcher.close());
  const env = { SEKISHO_DB: join(world.project, '../elsewhere.db') };
  expect((await world.cli(['status', '--json'], { env })).json).toHaveProperty('rings');
  expect((await world.cli(['doctor', '--json'], { env })).json).toHaveProperty('checks');
  world.write('last', '');
  await until(
    'everything before is told',
    () => [...seen],
    (names) => names.includes('last'),
  );
  expect([...seen]).toEqual(['last']);
});

test.skipIf(missing !== undefined && process.env['CI'] === undefined)(
  `${row('sandbox.store')} a database that an agent could reach from inside of the sandbox turns ring 3 off, in status and doctor`,
  async () => {
    const world = await makeWorld('stdio', 'sqlite');
    onTestFinished(() => world.close());
    const said = async (env: Readonly<Record<string, string>>) => {
      const status = (await world.cli(['status', '--json'], { env })).json['rings'] as readonly Check[];
      const doctor = (await world.cli(['doctor', '--json'], { env })).json['checks'] as readonly Check[];
      return [status, doctor].map((all) => all.find((one) => one.name === 'sandbox')?.found ?? '');
    };
    for (const found of await said({})) expect(found).toContain('works here');
    const own = join(world.project, 'own.db');
    for (const found of await said({ SEKISHO_DB: own })) {
      expect(found).toContain('ring 3 is off');
      expect(found).toContain(own);
    }
  },
);
