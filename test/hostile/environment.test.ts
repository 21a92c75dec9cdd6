import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bin, node } from '../e2e/world.ts';
import { refuses } from './clients.ts';
import { row } from '../setup/security.ts';

/** What an agent can put into the environment of a hook or server through a client's settings file. */
let home: string;
let project: string;
let mark: string;
const shim = () => join(home, '.local/share/sekisho/app/sekisho');
const plain = () => ({ HOME: home, PATH: '/usr/bin:/bin', LANG: 'C' });
const greeting = `${JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
})}\n`;

beforeAll(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), `${process.env['SEKISHO_TEST_RUN'] ?? 'sekisho-test'}-env-`)));
  project = join(home, 'project');
  mark = join(home, 'evil-was-here');
  mkdirSync(join(home, 'evil'), { recursive: true });
  mkdirSync(project);
  const sekisho = (...args: string[]) => spawnSync(node, [bin, ...args], { cwd: project, env: plain() });
  sekisho('init', '--client', 'claude');
  writeFileSync(
    join(project, '.sekisho/processes/careful.yaml'),
    'id: careful\nversion: "1"\ninitial_state: think\nstates:\n  - { name: think, tool_permissions: { denied: [Bash] } }\n  - { name: done, is_final: true }\nevents: [{ name: go }]\ntransitions: [{ from: think, event: go, to: done }]\n',
  );
  expect(sekisho('gate', 'create-run', '--process-id', 'careful').status).toBe(0);
  writeFileSync(join(home, 'evil/load.cjs'), `require('node:fs').writeFileSync(${JSON.stringify(mark)}, 'x');`);
  writeFileSync(join(home, 'evil/profile.sh'), `echo x > '${mark}'\n`);
  for (const name of ['node', 'sh', 'env', 'sekisho', 'dirname', 'cat']) {
    writeFileSync(join(home, 'evil', name), `#!/bin/sh\necho x > '${mark}'\n`);
    chmodSync(join(home, 'evil', name), 0o755);
  }
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

function attack(env: Record<string, string>, args = ['hook', 'pre-tool-use', '--client', 'claude'], program = shim()) {
  rmSync(mark, { force: true });
  const question = { session_id: 's', cwd: project, tool_name: 'Bash', tool_input: { command: 'ls' } };
  const input = args[0] === 'mcp' ? greeting : JSON.stringify(question);
  const { stdout, stderr, status } = spawnSync(program, args, {
    cwd: project,
    env: { ...plain(), ...env },
    input,
    encoding: 'utf8',
  });
  return { stdout, stderr, status, ran: existsSync(mark) };
}

const attacks: Readonly<Record<string, () => Record<string, string>>> = {
  'NODE_OPTIONS that load a file': () => ({ NODE_OPTIONS: `--require=${join(home, 'evil/load.cjs')}` }),
  'NODE_OPTIONS that Node refuses': () => ({ NODE_OPTIONS: '--no-such-option' }),
  NODE_PATH: () => ({ NODE_PATH: join(home, 'evil') }),
  BASH_ENV: () => ({ BASH_ENV: join(home, 'evil/profile.sh') }),
  ENV: () => ({ ENV: join(home, 'evil/profile.sh') }),
  'a PATH of its own programs': () => ({ PATH: join(home, 'evil') }),
  'no PATH': () => ({ PATH: '' }),
  'another HOME': () => ({ HOME: join(home, 'evil') }),
  'another XDG_DATA_HOME': () => ({ XDG_DATA_HOME: join(home, 'evil') }),
  'another data folder': () => ({ SEKISHO_DATA: join(home, 'evil') }),
  'another cache of code': () => ({ XDG_CACHE_HOME: join(home, 'evil'), SEKISHO_CODE_CACHE: 'refresh' }),
  'another database': () => ({ SEKISHO_DB: join(home, 'evil/none.db') }),
  'another project': () => ({ SEKISHO_PROJECT: join(home, 'evil') }),
  'a certificate file that costs time': () => ({ NODE_EXTRA_CA_CERTS: join(home, 'evil/none.pem') }),
  'a configuration of OpenSSL': () => ({ OPENSSL_CONF: join(home, 'evil/openssl.cnf') }),
};

describe.each(Object.keys(attacks))('%s', (name) => {
  test(`${row('hooks.environment')} neither runs in a hook nor opens the gate`, () => {
    const { stdout, status, ran } = attack(attacks[name]?.() ?? {});
    expect({ status, ran, refused: refuses(stdout) }).toEqual({ status: 0, ran: false, refused: true });
  });

  test(`${row('hooks.environment')} does not run in a server`, () => {
    const { stdout, ran } = attack(attacks[name]?.() ?? {}, ['mcp']);
    expect({ ran, answers: stdout.includes('"serverInfo"') }).toEqual({ ran: false, answers: true });
  });
});

test(`${row('hooks.environment')} the same does run where the shim is not between`, () => {
  const direct = (env: Record<string, string>) =>
    attack(env, [bin, 'hook', 'pre-tool-use', '--client', 'claude'], node);
  expect(direct({ NODE_OPTIONS: `--require=${join(home, 'evil/load.cjs')}` }).ran).toBe(true);
  expect(refuses(direct({ XDG_DATA_HOME: join(home, 'elsewhere') }).stdout)).toBe(false);
});

describe('what the shim cannot stop', () => {
  test(`${row('hooks.preload')} the loader takes LD_PRELOAD before the shell has read a line; nothing after it does`, () => {
    if (process.platform !== 'linux') return;
    const { stderr, stdout } = attack({ LD_PRELOAD: join(home, 'evil/none.so') });
    expect(stderr.match(/cannot be preloaded/g)).toHaveLength(1);
    expect(refuses(stdout)).toBe(true);
  });
});

test(`${row('hooks.program')} a shim whose program is gone says so with the code that clients take for no`, () => {
  const program = join(home, '.local/share/sekisho/app');
  const gone = spawnSync('/bin/sh', ['-c', `mv '${program}'/0* '${home}/away'`]);
  expect(gone.status).toBe(0);
  const { status, stderr } = attack({});
  const ended = spawnSync(shim(), ['hook', 'stop', '--client', 'claude'], { input: '{}' });
  spawnSync('/bin/sh', [
    '-c',
    `mv '${home}/away' '${program}'/$(basename "$(grep ^program= '${shim()}' | sed "s|/bin/sekisho'||")")`,
  ]);
  // An agent must be able to stop.
  expect([status, ended.status]).toEqual([2, 1]);
  expect(stderr).toContain('sekisho init');
});
