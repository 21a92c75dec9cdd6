import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { listProcesses } from './process-table.ts';

export interface ForegroundOptions {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The program is a sandbox that runs the real one. */
  readonly wrapped: boolean;
  /** Descriptors that it inherits beside the terminal. */
  readonly descriptors: readonly number[];
  readonly onStart: () => void;
  readonly signal: AbortSignal;
}

/** Added to a signal's number, this is a shell's exit code for a program that the signal ended. */
const bySignal = 128;
const passedSignals = ['SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Runs a program on this terminal and returns its exit code, or undefined if it could not be started. Ctrl-C reaches it from
 * the terminal itself. Signals to this process alone are passed on to the program, not to the sandbox around it, which would
 * silently kill it.
 */
export function runInForeground(options: ForegroundOptions): Promise<number | undefined> {
  const { program, args, env, cwd, wrapped, descriptors, onStart, signal } = options;
  return new Promise((resolve) => {
    const child = spawn(program, [...args], { env, cwd, stdio: ['inherit', 'inherit', 'inherit', ...descriptors] });
    onStart();
    const pass = (name: NodeJS.Signals) => {
      const inner = wrapped ? innermost(child.pid) : child.pid;
      if (inner !== undefined) process.kill(inner, name);
    };
    const stay = () => undefined;
    const kill = () => child.kill('SIGKILL');
    process.on('SIGINT', stay);
    for (const name of passedSignals) process.on(name, pass);
    if (signal.aborted) kill();
    else signal.addEventListener('abort', kill, { once: true });
    const end = (code: number | undefined) => {
      process.off('SIGINT', stay);
      for (const name of passedSignals) process.off(name, pass);
      signal.removeEventListener('abort', kill);
      resolve(code);
    };
    child.once('error', () => end(undefined));
    child.once('exit', (code, name) => end(code ?? bySignal + (name === null ? 0 : constants.signals[name])));
  });
}

/** The program in a sandbox: the sandbox is two nested processes, and the program is the child of the inner one. */
function innermost(pid: number | undefined): number | undefined {
  if (pid === undefined) return undefined;
  const all = listProcesses();
  const childOf = (parent: number | undefined) => all.find((one) => one.parent === parent)?.pid;
  const inner = childOf(pid);
  return childOf(inner) ?? inner ?? pid;
}
