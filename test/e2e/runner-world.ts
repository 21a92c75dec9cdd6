import { type ChildProcess, spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trustConfiguration } from '../setup/trust.ts';
import type { Agent } from './work-world.ts';
import { type World, bin, node } from './world.ts';

const fixtures = join(import.meta.dirname, '../fixtures');

/** A place with a configuration of its own, from which a Runner runs. */
export async function runnerPlace(
  world: World,
  name: string,
  agents: readonly Agent[],
  runner: object = {},
): Promise<string> {
  const folder = join(world.project, '..', name);
  mkdirSync(join(folder, '.sekisho'), { recursive: true });
  const settings = {
    pollIntervalMs: 100,
    maxConcurrent: 4,
    cooldownMs: 200,
    commands: { scripted: [node, join(fixtures, 'agents/work.mjs')] },
    passkeyFile: `../${name}-passkeys.json`,
    ...runner,
  };
  const passkeys = join(world.project, '..', `${name}-passkeys.json`);
  writeFileSync(passkeys, JSON.stringify(Object.fromEntries(agents.map((one) => [one.id, one.passkey]))));
  chmodSync(passkeys, 0o600);
  const config = { runner: settings, work: { leaseSeconds: 10 } };
  writeFileSync(join(folder, '.sekisho', 'config.yaml'), JSON.stringify(config));
  await trustConfiguration(folder, world.env);
  return folder;
}

export function startRunner(world: World, folder: string, ...args: readonly string[]): ChildProcess {
  const child = spawn(node, [bin, 'runner', ...args], {
    cwd: folder,
    env: world.env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  child.stderr?.resume();
  return child;
}

export async function stopRunner(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill(signal);
  await gone;
}
