import { spawn } from 'node:child_process';
import { timed } from './statistics.mjs';

/** What starting Node costs, with the same pipes that a server or a hook has. */
export function emptyNode({ root, env }) {
  return timed(
    () =>
      new Promise((resolve, reject) => {
        const child = spawn(process.execPath, ['-e', '0'], { cwd: root, env, stdio: ['pipe', 'pipe', 'pipe'] });
        child.stdin.on('error', () => {});
        child.once('error', reject);
        child.once('exit', resolve);
      }),
  );
}
