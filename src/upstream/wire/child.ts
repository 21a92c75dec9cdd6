import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import type { Launch, Start } from '../../kernel/confine.ts';
import { endGroup, signalGroup, waitForGroup } from '../../machine/group.ts';
import type { Listener, Message, Transport } from './message.ts';
import { Lost } from './message.ts';

export interface ChildOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** How it is started: as it is, or in a sandbox. Throws where it may not be. */
  readonly launch: (start: Start) => Promise<Launch>;
  /** Called with the process id as soon as there is one. */
  readonly onStart: (pid: number) => void;
  /** The whole tree has ended. */
  readonly onEnd: () => Promise<unknown>;
}

const gentleMs = 400;
const termMs = 600;
const maxLineBytes = 64 * 1024 * 1024;
const keptErrors = 2000;

/** Groups that still live when this process exits without having closed them. */
const living = new Set<number>();
let hooked = false;

/** An upstream as a process of its own, in its own process group, with JSON lines on stdin and stdout. */
export class ChildTransport implements Transport {
  readonly #options: ChildOptions;
  #child: ChildProcess | undefined;
  #listener: Listener | undefined;
  #parts: Buffer[] = [];
  #size = 0;
  #errors = '';
  #ended: Promise<void> | undefined;
  #launch: Launch | undefined;

  constructor(options: ChildOptions) {
    this.#options = options;
  }

  listen(listener: Listener): void {
    this.#listener = listener;
  }

  async start(): Promise<void> {
    const { command, cwd, env } = this.#options;
    const launch = await this.#options.launch({ line: command, tree: cwd, env });
    this.#launch = launch;
    if (this.#ended !== undefined) {
      launch.started();
      await launch.ended();
      throw new Lost('closed', false);
    }
    await this.#spawn(launch, command[0] ?? '');
  }

  #spawn(launch: Launch, program: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = spawn(launch.program, [...launch.args], {
        cwd: this.#options.cwd,
        env: launch.env,
        stdio: ['pipe', 'pipe', 'pipe', ...launch.descriptors],
        // A group of its own: signalling the group reaches what the upstream started.
        detached: process.platform !== 'win32',
        windowsHide: true,
        // `npx` is a script there.
        shell: process.platform === 'win32',
      });
      launch.started();
      this.#child = child;
      child.once('error', (error: NodeJS.ErrnoException) => {
        reject(
          new Lost(error.code === 'ENOENT' ? `the program ${program} was not found` : error.message, false, {
            final: true,
          }),
        );
        this.#listener?.ended(error.message);
      });
      child.once('spawn', () => {
        if (child.pid !== undefined) {
          remember(child.pid);
          this.#options.onStart(child.pid);
        }
        resolve();
      });
      // `exit`, not `close`: something that it started may hold the pipes open for ever.
      child.once('exit', (code, signal) => {
        this.#listener?.ended(this.#obituary(code, signal));
        this.#ended ??= this.#end(0).catch(() => undefined); // What could not be ended is swept at the next start.
      });
      child.stdout?.on('data', (chunk: Buffer) => this.#read(chunk));
      child.stderr?.on('data', (chunk: Buffer) => {
        this.#errors = (this.#errors + chunk.toString('utf8')).slice(-keptErrors);
      });
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined); // `exit` tells.
    });
  }

  send(message: Message): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin === undefined || stdin === null || !stdin.writable)
      return Promise.reject(new Lost('it has ended', false));
    return new Promise((resolve, reject) => {
      stdin.write(`${JSON.stringify(message)}\n`, (error) => {
        // A pipe that takes nothing has delivered nothing.
        if (error) reject(new Lost(error.message, false));
        else resolve();
      });
    });
  }

  async close(): Promise<void> {
    this.#child?.stdin?.end();
    await (this.#ended ??= this.#end(gentleMs));
  }

  /** First its stdin closes, then the group is asked, then it is killed. */
  async #end(patienceMs: number): Promise<void> {
    const pid = this.#child?.pid;
    if (pid === undefined) return;
    if (patienceMs > 0) await waitForGroup(pid, patienceMs);
    await endGroup(pid, termMs);
    living.delete(pid);
    await this.#options.onEnd();
    await this.#launch?.ended();
  }

  #read(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(10); at !== -1; at = chunk.indexOf(10, from)) {
      this.#parts.push(chunk.subarray(from, at));
      const line = this.#parts.length === 1 ? this.#parts[0]! : Buffer.concat(this.#parts);
      this.#parts = [];
      this.#size = 0;
      from = at + 1;
      this.#take(line);
    }
    if (from < chunk.length) {
      this.#parts.push(chunk.subarray(from));
      this.#size += chunk.length - from;
      if (this.#size > maxLineBytes) void this.close().catch(() => undefined); // Nobody sends that; it has gone mad.
    }
  }

  #take(line: Buffer): void {
    if (line.length === 0) return;
    let message: unknown;
    try {
      message = JSON.parse(line.toString('utf8'));
    } catch {
      return; // A banner on stdout: the most common fault of servers, and harmless.
    }
    for (const one of Array.isArray(message) ? (message as unknown[]) : [message])
      if (typeof one === 'object' && one !== null) this.#listener?.received(one as Message, line.length);
  }

  #obituary(code: number | null, signal: NodeJS.Signals | null): string {
    const ended = signal === null ? `it ended with exit code ${String(code)}` : `it was ended by ${signal}`;
    const sandbox = this.#launch?.sandbox;
    // What it could not reach in there is a frequent reason.
    const how = sandbox === undefined ? ended : `${ended} in the sandbox (${sandbox})`;
    const tail = this.#errors.trim().split('\n').slice(-3).join(' | ');
    return tail === '' ? how : `${how}: ${tail}`;
  }
}

function remember(pid: number): void {
  living.add(pid);
  if (hooked) return;
  hooked = true;
  // Whatever ends this process: its upstreams end with it.
  process.once('exit', () => {
    for (const one of living) signalGroup(one, 'SIGKILL');
  });
}
