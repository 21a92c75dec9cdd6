import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Commands whose code belongs in the code cache: their functions are compiled once, here. `input` goes to stdin. */
const commands = [{ args: ['--version'] }];

export function warmUp(root) {
  const cwd = mkdtempSync(path.join(tmpdir(), 'sekisho-warm-up-'));
  const env = { ...process.env, SEKISHO_CODE_CACHE: 'refresh', SEKISHO_DB: path.join(cwd, 'warm-up.db') };
  delete env.NODE_EXTRA_CA_CERTS;
  for (const { args, input = '' } of commands) {
    const { status, stderr } = spawnSync(process.execPath, [path.join(root, 'bin', 'sekisho'), ...args], {
      cwd,
      env,
      input,
      encoding: 'utf8',
      timeout: 5000,
    });
    if (status !== 0) process.stderr.write(`sekisho ${args.join(' ')} did not end well after the build:\n${stderr}\n`);
  }
  rmSync(cwd, { recursive: true, force: true });
}
