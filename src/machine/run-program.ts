import { spawn } from 'node:child_process';
import { endGroup, signalGroup } from './group.ts';

export interface ProgramOptions {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Descriptors after stdin, stdout and stderr. */
  readonly descriptors?: readonly number[];
  /** Called once it was started, or could not be. */
  readonly onStart?: () => void;
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called with each chunk of output as it arrives. */
  readonly onOutput: (chunk: Buffer, stream: 'stdout' | 'stderr') => void;
}

export interface ProgramEnd {
  /** Undefined if it did not start, ran out of time or was ended by a signal. */
  readonly exitCode: number | undefined;
  readonly timedOut: boolean;
  /** Why it did not start. */
  readonly error: string | undefined;
  readonly durationMs: number;
}

const graceMs = 5000;
const lingerMs = 1000;

/** Runs a program to its end or to the time limit, without a shell and without input. Processes that it started end with it. */
export function runProgram(line: readonly string[], options: ProgramOptions): Promise<ProgramEnd> {
  const { cwd, env, descriptors = [], onStart, timeoutMs, signal, onOutput } = options;
  const started = performance.now();
  return new Promise((resolve) => {
    const [program = '', ...args] = line;
    let timedOut = false;
    // Its own process group: a test runner starts workers that must end with it.
    const child = spawn(program, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe', ...descriptors],
      detached: true,
      windowsHide: true,
    });
    onStart?.();
    child.stdout?.on('data', (chunk: Buffer) => onOutput(chunk, 'stdout'));
    child.stderr?.on('data', (chunk: Buffer) => onOutput(chunk, 'stderr'));
    const kill = () => child.pid !== undefined && signalGroup(child.pid, 'SIGKILL');
    const stop = () => {
      if (child.pid !== undefined) void endGroup(child.pid, graceMs);
    };
    const timer = setTimeout(() => {
      timedOut = true;
      stop();
    }, timeoutMs);
    if (signal?.aborted === true) stop();
    else signal?.addEventListener('abort', stop, { once: true });
    const end = (exitCode: number | undefined, error: string | undefined) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      kill();
      resolve({ exitCode, timedOut, error, durationMs: performance.now() - started });
    };
    child.once('error', (error) => end(undefined, error.message));
    child.once('exit', () => {
      // Workers that outlive it keep its output open; one that left the group must not keep us waiting.
      kill();
      setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, lingerMs).unref();
    });
    // Not `exit`: the last output can arrive after that.
    child.once('close', (code) => end(timedOut ? undefined : (code ?? undefined), undefined));
  });
}
