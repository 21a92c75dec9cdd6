import { type ChildProcess, spawn } from 'node:child_process';
import type { Launch } from '../../sandbox/port.ts';
import type { AgentCli, Invocation } from '../agent-cli.ts';
import type { LogWriter } from './log-file.ts';
import { type Tally, addFacts, emptyTally, replaceInvalidText } from './stream-tally.ts';
import { createLines } from './lines.ts';

const keptErrors = 4000;

export interface ChildOptions {
  readonly cli: AgentCli;
  readonly launch: Launch;
  readonly invocation: Pick<Invocation, 'stdin'>;
  readonly cwd: string;
  readonly log: LogWriter;
  /** Called when the stream says that the work is done, although the process goes on. */
  readonly onEnd: () => void;
}

export interface Exit {
  readonly code: number | null;
  readonly signal: string | null;
  /** The error if the program never started. */
  readonly error: NodeJS.ErrnoException | undefined;
}

export interface Child {
  readonly pid: number | undefined;
  readonly exited: Promise<Exit>;
  /** Resolves when both streams are read to their end. A grandchild may keep them open long after the exit. */
  readonly closed: Promise<void>;
  tally(): Tally;
  /** The end of the agent's stderr. */
  errors(): string;
  /** Stops reading, even if another process keeps the streams open. */
  release(): void;
}

/** Starts an agent's program, without a shell. Every line of its output goes to the log and to the reader. */
export function startChild(options: ChildOptions): Child {
  const { cli, launch, invocation, log } = options;
  const reader = cli.reader();
  let tally = emptyTally;
  let errors = '';

  const child: ChildProcess = spawn(launch.program, [...launch.args], {
    cwd: options.cwd,
    env: launch.env,
    // The program leads its own process group: agents start shells that outlive them.
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', ...launch.descriptors],
  });
  launch.started();

  const raw = (bytes: Buffer) => log.write(bytes);
  const output = createLines({
    raw,
    lines(lines) {
      for (const line of lines) {
        const facts = reader.read(line);
        tally = addFacts(tally, facts);
        if (facts.some(({ kind }) => kind === 'end')) options.onEnd();
      }
    },
  });
  const problems = createLines({
    raw,
    lines: (lines) => {
      for (const line of lines) tally = addFacts(tally, reader.readError?.(line) ?? []);
      errors = `${errors}${lines.join('\n')}\n`.slice(-keptErrors);
    },
  });
  child.stdout?.on('data', (chunk: Buffer) => output.add(chunk));
  child.stderr?.on('data', (chunk: Buffer) => problems.add(chunk));
  // A program that does not read its stdin closes it; that is no error.
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(invocation.stdin);

  const exited = new Promise<Exit>((resolve) => {
    child.once('error', (error: NodeJS.ErrnoException) => resolve({ code: null, signal: null, error }));
    child.once('exit', (code, signal) => resolve({ code, signal, error: undefined }));
  });
  const closed = new Promise<void>((resolve) => {
    child.once('close', () => resolve());
    child.once('error', () => resolve());
  });
  return {
    pid: child.pid,
    exited,
    closed,
    tally: () => tally,
    errors: () => replaceInvalidText(errors.trim()),
    release() {
      child.stdout?.destroy();
      child.stderr?.destroy();
      output.end();
      problems.end();
    },
  };
}
