import { execFileSync, spawn } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { lastingPort } from './port.ts';
import { findBinaries } from './postgres-binaries.ts';

export interface PostgresServer {
  readonly url: string;
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Ends the server and removes all it had. */
  remove(): Promise<void>;
}

/** A real server on a port and a folder of its own, as a user that is not root. */
export async function startPostgres(): Promise<PostgresServer> {
  const { bin, downloaded } = findBinaries();
  const identity = process.getuid?.() === 0 ? unprivileged() : undefined;
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-pg-'));
  if (identity) chownSync(folder, identity.uid, identity.gid);
  const options = ['-D', join(folder, 'data'), '-U', 'sekisho', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync'];
  execFileSync(join(bin, 'initdb'), options, { stdio: ['ignore', 'ignore', 'inherit'], cwd: folder, ...identity });

  const port = await lastingPort();
  const keeper = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('postgres-keeper.mjs', import.meta.url)),
      JSON.stringify({ postgres: join(bin, 'postgres'), folder, port, ...identity }),
    ],
    // Out of our process group, so that Ctrl-C reaches us only and the keeper can tidy up.
    { stdio: ['pipe', 'pipe', 'inherit'], detached: true },
  );
  const gone = new Promise<void>((resolve) => keeper.on('close', () => resolve()));
  const answers = createInterface({ input: keeper.stdout })[Symbol.asyncIterator]();

  async function expectAnswer(wanted: string): Promise<void> {
    const { value } = await answers.next();
    if (value !== wanted) throw new Error(`PostgreSQL did not become ${wanted}: ${value ?? 'its keeper ended'}`);
  }

  await expectAnswer('ready');
  return {
    url: `postgres://sekisho@127.0.0.1:${port}/postgres`,
    async stop() {
      keeper.stdin.write('stop\n');
      await expectAnswer('stopped');
    },
    async start() {
      keeper.stdin.write('start\n');
      await expectAnswer('ready');
    },
    async remove() {
      keeper.stdin.end();
      await gone;
      if (downloaded !== undefined) rmSync(downloaded, { recursive: true, force: true });
    },
  };
}

/** PostgreSQL refuses to run as root. */
export function unprivileged(): { uid: number; gid: number } {
  for (const user of ['postgres', 'nobody']) {
    try {
      const id = (flag: string): number =>
        Number(execFileSync('id', [flag, user], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }));
      return { uid: id('-u'), gid: id('-g') };
    } catch {
      // No such user here; try the next.
    }
  }
  throw new Error('PostgreSQL does not run as root, and there is neither a user "postgres" nor "nobody"');
}
