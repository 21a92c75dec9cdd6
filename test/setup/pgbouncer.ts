import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync, chmodSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getDebianPackage } from '../../scripts/get-debian-package.mjs';
import { lastingPort } from './port.ts';
import { unprivileged } from './postgres-server.ts';

const program = '/usr/sbin/pgbouncer';

export function whyNoPgbouncer(): string | undefined {
  return getDebianPackage('pgbouncer', program);
}

export interface Pgbouncer {
  readonly url: string;
  stop(): Promise<void>;
}

/** A real PgBouncer before the server of the tests. */
export async function startPgbouncer(url: string, mode: 'session' | 'transaction'): Promise<Pgbouncer> {
  const target = new URL(url);
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-pgbouncer-'));
  chmodSync(folder, 0o755);
  const port = await lastingPort();
  const file = join(folder, 'pgbouncer.ini');
  writeFileSync(
    file,
    `[databases]
* = host=${target.hostname} port=${target.port} user=${target.username}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
auth_type = any
pool_mode = ${mode}
unix_socket_dir =
`,
  );
  const identity = process.getuid?.() === 0 ? unprivileged() : {};
  const child = spawn(program, [file], { ...identity, stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  for await (const chunk of child.stderr) {
    said += String(chunk);
    if (said.includes('process up')) break;
  }
  const pooled = new URL(url);
  pooled.port = String(port);
  return {
    url: pooled.href,
    async stop() {
      const gone = once(child, 'exit');
      child.kill('SIGKILL');
      await gone;
      rmSync(folder, { recursive: true });
    },
  };
}
