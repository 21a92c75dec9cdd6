import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { lastingPort } from '../setup/port.ts';
import type { World } from './world.ts';

const folder = join(import.meta.dirname, '../fixtures/upstreams');

/** The command of a fixture, as the configuration has it. */
export function fixture(name: string, ...args: string[]): readonly string[] {
  return [process.execPath, join(folder, `${name}.mjs`), ...args];
}

/** Writes `.sekisho/config.yaml`; JSON is YAML. Before the first client, since servers read it when they start. */
export function configure(world: World, upstreams: Record<string, object>, more: object = {}): void {
  world.write('.sekisho/config.yaml', JSON.stringify({ upstreams, ...more }));
}

/** What a fixture noted in its log, line by line. */
export function notes(path: string): readonly string[] {
  // It is there before its first line is.
  return existsSync(path) ? readFileSync(path, 'utf8').split('\n').filter(Boolean) : [];
}

export interface HttpFixture {
  readonly port: number;
  readonly pid: number;
  kill(): Promise<void>;
  restart(): Promise<void>;
}

/** A fixture that listens on HTTP; it prints its port. Restarted, it has the same one. */
export async function startHttp(
  [name = '', ...args]: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<HttpFixture> {
  let child: ChildProcess | undefined;
  const start = async (port: number): Promise<number> => {
    const [program = '', ...rest] = fixture(name, ...args, String(port));
    child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, ...env } });
    const { stdout } = child;
    if (stdout === null) throw new Error('no stdout');
    return Number(await new Promise<string>((done) => createInterface({ input: stdout }).once('line', done)));
  };
  const kill = async () => {
    const dying = child;
    if (dying === undefined || dying.exitCode !== null || dying.signalCode !== null) return;
    const gone = new Promise((done) => dying.once('exit', done));
    dying.kill('SIGKILL');
    await gone;
  };
  onTestFinished(kill);
  const port = await start(await lastingPort());
  return {
    port,
    get pid() {
      return child?.pid ?? 0;
    },
    kill,
    async restart() {
      await kill();
      await start(port);
    },
  };
}
