import { appendFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { codexBinary, run } from './cli.ts';
import { drivers } from './driver.ts';
import type { Turn } from './model/model.ts';
import { type Scene, makeScene } from './scene.ts';

interface ListedHook {
  readonly key: string;
  readonly eventName: string;
  readonly currentHash: string;
  readonly trustStatus: string;
}

/** Our hook as Codex itself lists it. */
function listHook({ home, env }: Scene): Promise<ListedHook> {
  const server = spawn(codexBinary(), ['app-server'], { cwd: home.project, env, stdio: ['pipe', 'pipe', 'ignore'] });
  const ask = (message: object) => server.stdin.write(`${JSON.stringify(message)}\n`);
  ask({ id: 1, method: 'initialize', params: { clientInfo: { name: 'test', version: '1' } } });
  ask({ method: 'initialized' });
  ask({ id: 2, method: 'hooks/list', params: { cwds: [home.project] } });
  return new Promise((done, fail) => {
    server.once('exit', () => fail(new Error('Codex ended')));
    createInterface({ input: server.stdout }).on('line', (line) => {
      const { id, result } = JSON.parse(line) as { id?: number; result?: { data: { hooks: ListedHook[] }[] } };
      const hook = result?.data?.[0]?.hooks.find((one) => one.eventName === 'preToolUse');
      if (id !== 2 || hook === undefined) return;
      server.removeAllListeners('exit');
      server.kill();
      done(hook);
    });
  });
}

test('Codex skips our hook until its own settings record trust in it, and status says which', async () => {
  const { codex } = drivers;
  const session: readonly Turn[] = [
    (seen) => ({ calls: [codex.shell('echo edited > edited.txt', seen)] }),
    { text: 'Done.' },
  ];
  const scene = await makeScene(codex, () => [...session, ...session, ...session]);
  onTestFinished(() => scene.close());
  scene.home.write(
    '.sekisho/processes/careful.yaml',
    'id: careful\nversion: "1"\ninitial_state: think\nstates:\n  - { name: think, tool_permissions: { denied: [Bash] } }\n  - { name: done, is_final: true }\nevents: [{ name: go }]\ntransitions: [{ from: think, event: go, to: done }]\n',
  );
  expect(await scene.cli('gate', 'create-run', '--process-id', 'careful')).not.toHaveProperty('error');
  const edited = join(scene.home.project, 'edited.txt');
  const isEdited = async (...flags: string[]) => {
    rmSync(edited, { force: true });
    const line = ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
    const { code, stdout, stderr } = await run(codexBinary(), [...line, ...flags, 'Edit'], {
      cwd: scene.home.project,
      env: scene.env,
    });
    expect(code, stdout + stderr).toBe(0);
    return existsSync(edited);
  };
  const ringOf = async () => {
    const { rings } = await scene.cli('status');
    return (rings as { name: string; client?: string; state: string }[]).find(
      (one) => one.name === 'hooks' && one.client === 'codex',
    );
  };
  // The session that bypasses trust is held back, and shows nothing about the next.
  expect(await isEdited('--dangerously-bypass-hook-trust')).toBe(false);
  expect(await ringOf()).toMatchObject({ state: 'broken' });
  expect(await isEdited()).toBe(true);
  const untrusted = await listHook(scene);
  expect(untrusted.trustStatus).toBe('untrusted');
  const state = `\n[hooks.state.${JSON.stringify(untrusted.key)}]\ntrusted_hash = "${untrusted.currentHash}"\n`;
  appendFileSync(join(scene.home.folder, '.codex/config.toml'), state);
  expect((await listHook(scene)).trustStatus).toBe('trusted');
  expect(await ringOf()).toMatchObject({ state: 'on' });
  expect(await isEdited()).toBe(false);
});

test('opencode asks npm once and not again where it does not answer, and runs our plugin', async () => {
  const { opencode } = drivers;
  const asked: string[] = [];
  const registry = createServer((request) => {
    asked.push(request.url ?? '');
    request.socket.destroy();
  });
  await new Promise<void>((done) => registry.listen(0, '127.0.0.1', done));
  onTestFinished(() => void registry.close());
  const scene = await makeScene(opencode, ({ project }) => [
    (seen) => ({ calls: [opencode.write(join(project, 'edited.txt'), 'edited', seen)] }),
    { text: 'Done.' },
  ]);
  onTestFinished(() => scene.close());
  const { port } = registry.address() as AddressInfo;
  writeFileSync(join(scene.home.folder, '.npmrc'), `registry=http://127.0.0.1:${port}/\n`);
  await scene.cli('start', 'explore-plan-implement-verify');
  const outcome = await scene.drive('Write edited.txt');
  expect(scene.results()[0], outcome.stdout + outcome.stderr).toContain('in the state "explore"');
  expect(asked).toEqual(['/@opencode-ai%2fplugin']);
});
