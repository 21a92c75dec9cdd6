import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { locate } from '../../src/config/locate.ts';
import { mergeJson } from '../../src/setup/merge-json.ts';
import { run, sekisho } from './cli.ts';
import { drivers } from './driver.ts';
import { type Scene, makeScene } from './scene.ts';

let scene: Scene | undefined;

afterEach(async () => {
  const file = scene && join(locate({ cwd: scene.home.project, env: scene.env }).data.state, 'daemon.json');
  if (file !== undefined && existsSync(file))
    process.kill((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid, 'SIGTERM');
  await scene?.close();
  scene = undefined;
});

test.each(Object.values(drivers))(
  '$id $version reaches the server with the configuration that up prints',
  async (driver) => {
    const other = driver.id === 'codex' ? 'gemini' : 'codex';
    const at = (scene = await makeScene(
      driver,
      () => [(seen) => ({ calls: [driver.mcp('state_gate_list_processes', {}, seen)] }), { text: 'Done.' }],
      ({ env }) => ({ XDG_DATA_HOME: join(env['HOME'] ?? '', 'data'), SEKISHO_HTTP_PORT: '0' }),
      ['--client', other],
    ));
    const { cwd, env } = { cwd: at.home.project, env: at.env };
    const { stdout } = await run(process.execPath, [sekisho, 'up', '--background', '--print-config'], { cwd, env });
    const block = new RegExp(`^${driver.id}, (.*):\n([^]*?)\n\n`, 'm').exec(stdout);
    const token = /^export SEKISHO_AGENT_TOKEN="\$\(cat '(.*)'\)"$/m.exec(stdout);
    expect({ block, token }, stdout).not.toMatchObject({ block: null, token: null });
    const [, file = '', text = ''] = block ?? [];
    const path = join(file.startsWith('~') ? at.home.folder : cwd, file.replace(/^~/, ''));
    const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
    mkdirSync(dirname(path), { recursive: true });
    const after = file.endsWith('.toml')
      ? `${before ?? ''}\n${text}\n`
      : mergeJson(path, before, JSON.parse(text) as Record<string, unknown>, driver.id);
    writeFileSync(path, after);
    const started = await run(join(driver.folder(), driver.id), driver.line('Which processes are there?', 'outside'), {
      cwd,
      env: { ...env, SEKISHO_AGENT_TOKEN: readFileSync(token?.[1] ?? '', 'utf8').trim() },
    });
    expect(at.results()[0], started.stdout + started.stderr).toContain('explore-plan-implement-verify');
  },
);
