import { spawn } from 'node:child_process';
import { timed } from './statistics.mjs';

/** Runs a program with pipes, as clients run servers and hooks, and answers what it printed. */
export function runToEnd([program, ...args], { root, env }, { shell = false, input = '' } = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { cwd: root, env, shell, stdio: ['pipe', 'pipe', 'pipe'] });
    let output = '';
    child.stdin.on('error', () => {}); // It may end without reading.
    child.stdout.on('data', (data) => (output += data));
    child.stderr.on('data', (data) => (output += data));
    child.once('error', reject);
    child.once('exit', () => resolve(output));
    child.stdin.end(input);
  });
}

/** Milliseconds that Node takes to start and end; with `shell`, as a client runs a hook. */
export function emptyNode(project, { shell = false } = {}) {
  return timed(() => runToEnd([process.execPath, '-e', '0'], project, { shell }));
}
