import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

import { bundleAll } from '../build/bundle.mjs';
import { publish } from '../build/publish.mjs';

const root = path.join(import.meta.dirname, '..', '..');
export const bin = path.join(root, 'bin', 'sekisho');

const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'sekisho-conformance-')));
export const project = path.join(folder, 'project');
mkdirSync(path.join(project, '.sekisho'), { recursive: true });

// The environment is clean: an agent's variables would change the actor.
const env = { PATH: process.env.PATH, HOME: folder, LANG: 'C' };
const running = new Set();
const hangsMs = 90_000;

process.once('exit', () => {
  for (const child of running) child.kill('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));

function start(program, args) {
  const child = spawn(program, args, { cwd: project, env, stdio: ['ignore', 'pipe', 'pipe'] });
  running.add(child);
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr']) child[name].setEncoding('utf8').on('data', (text) => (output[name] += text));
  const ended = new Promise((done) => {
    child.once('error', (error) => done({ code: 1, ...output, stderr: String(error) }));
    child.once('close', (code) => {
      running.delete(child);
      done({ code, ...output });
    });
  });
  return { child, ended };
}

/** Runs a program to its end. */
export async function run(program, args) {
  const { child, ended } = start(program, args);
  const timer = setTimeout(() => child.kill('SIGKILL'), hangsMs);
  const outcome = await ended;
  clearTimeout(timer);
  return outcome;
}

/** Starts the daemon of the project. */
export function startDaemon() {
  return startServer([bin, 'up', '--project', project, '--port', '0', '--json']);
}

/** Starts a server with the fixtures of the official suite, built from the tests. */
export async function startFixtures() {
  // In node_modules, so that the database driver is found.
  const home = mkdtempSync(path.join(root, 'node_modules', '.sekisho-conformance-'));
  process.once('exit', () => rmSync(home, { recursive: true, force: true }));
  const { files } = await bundleAll(root, ['test/conformance/serve.ts']);
  publish(path.join(home, 'dist'), files, 0);
  return startServer([path.join(home, 'dist', 'serve.cjs')]);
}

async function startServer(args) {
  const { child, ended } = start(process.execPath, args);
  const line = await Promise.race([
    new Promise((done) => createInterface({ input: child.stdout }).once('line', done)),
    ended.then(({ stderr }) => Promise.reject(new Error(`${args.join(' ')} ended at once:\n${stderr}`))),
  ]);
  const { mcp, tokens } = JSON.parse(line);
  return {
    url: mcp,
    token: readFileSync(tokens.agent, 'utf8').trim(),
    async stop() {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
