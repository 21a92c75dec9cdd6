import { type ChildProcess, spawn } from 'node:child_process';
import type { ChunkedText } from '../../protocol/chunked-text.ts';
import type { Launch, ConfinedStart } from '../../sandbox/port.ts';
import { endGroup, signalGroup, waitForGroup } from '../../machine/group.ts';
import { messageOf } from '../../base/failure.ts';
import { lineReader, writeLine } from '../../protocol/lines.ts';
import { tooLargeMessage } from '../../kernel/message-size.ts';
import { causes } from './cause.ts';
import { type Listener, Lost, type Message, type Transport, refusalMessage } from './message.ts';

export interface ChildOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** Prepares the start, in a sandbox if needed. Throws if the program must not start. */
  readonly launch: (start: ConfinedStart) => Promise<Launch>;
  readonly onStart: (pid: number) => void;
  /** Called when the process has ended, to end the rest of its tree. */
  readonly onEnd: () => Promise<unknown>;
  readonly maxMessageBytes: number;
}

const gentleMs = 400;
const termMs = 600;
const keptErrors = 2000;

/** Process groups to kill if this process exits without closing them. */
const living = new Set<number>();
let hasExitHook = false;

/** A transport to an upstream that is a child process in its own process group, with JSON lines on stdin and stdout. */
export class ChildTransport implements Transport {
  readonly #options: ChildOptions;
  #child: ChildProcess | undefined;
  #listener: Listener | undefined;
  #errors = '';
  #ended: Promise<void> | undefined;
  #launch: Launch | undefined;
  /** Settles when the last line is written or has failed. */
  #writing: Promise<unknown> = Promise.resolve();

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
      throw new Lost(causes.closed, false);
    }
    await this.#spawn(launch, command[0] ?? '');
  }

  #spawn(launch: Launch, program: string): Promise<void> {
    return new Promise((resolve, reject) => {
      const child = spawn(launch.program, [...launch.args], {
        cwd: this.#options.cwd,
        env: launch.env,
        stdio: ['pipe', 'pipe', 'pipe', ...launch.descriptors],
        // Its own group, so that a signal to the group reaches the upstream's children.
        detached: process.platform !== 'win32',
        windowsHide: true,
        // `npx` is a script on Windows.
        shell: process.platform === 'win32',
      });
      launch.started();
      this.#child = child;
      child.once('error', (error: NodeJS.ErrnoException) => {
        reject(new Lost(error.code === 'ENOENT' ? causes.notFound(program) : error.message, false, { final: true }));
        this.#listener?.ended(error.message);
      });
      child.once('spawn', () => {
        if (child.pid !== undefined) {
          remember(child.pid);
          this.#options.onStart(child.pid);
        }
        resolve();
      });
      // `exit`, not `close`: a child of the upstream may hold the pipes open forever.
      child.once('exit', (code, signal) => {
        const said = this.#errors.trim().split('\n').slice(-3).join(' | ');
        this.#listener?.ended(causes.exited({ code, signal, sandbox: launch.sandbox, said }));
        this.#ended ??= this.#end(0).catch(() => undefined); // A later server start ends the rest.
      });
      child.stdout?.on('data', this.#reader());
      child.stderr?.on('data', (chunk: Buffer) => {
        this.#errors = (this.#errors + chunk.toString('utf8')).slice(-keptErrors);
      });
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined); // `exit` reports the end.
    });
  }

  /** Sends one line at a time: if Node wrote several together, no one could tell which ones arrived. */
  send(message: Message): Promise<void> {
    const writing = this.#writing.then(() => this.#write(message));
    this.#writing = writing.catch(() => undefined); // The sender gets the error.
    return writing;
  }

  /** Writes one line. A line that the pipe did not take completely has not arrived. */
  async #write(message: Message): Promise<void> {
    const stdin = this.#child?.stdin;
    if (stdin?.writable !== true) throw new Lost(causes.ended, false);
    await writeLine(stdin, message).catch((error: unknown) => {
      throw new Lost(messageOf(error), false);
    });
  }

  async close(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#child?.stdin?.end());
    await (this.#ended ??= this.#end(gentleMs));
    // Fails the waiting lines, so that their senders know that they were not sent.
    this.#child?.stdin?.destroy();
    await this.#writing;
  }

  /** Ends the process: closes its stdin, then asks the group to end, then kills it. */
  async #end(patienceMs: number): Promise<void> {
    const pid = this.#child?.pid;
    try {
      if (pid === undefined) return;
      if (patienceMs > 0) await waitForGroup(pid, patienceMs);
      await endGroup(pid, termMs);
      living.delete(pid);
      await this.#options.onEnd();
    } finally {
      await this.#launch?.ended();
    }
  }

  #reader(): (chunk: Buffer) => void {
    const { maxMessageBytes } = this.#options;
    return lineReader(() => maxMessageBytes, {
      line: (line) => this.#take(line),
      tooLong: (excerpt) => {
        const { id, isRequest } = excerpt.identify() ?? {};
        this.#refuse(id, isRequest === true, tooLargeMessage(maxMessageBytes));
      },
    });
  }

  #take(line: ChunkedText): void {
    const { bytes } = line;
    // Anything else is a banner on stdout, the most common mistake of servers, and harmless.
    const message = line.json();
    for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
      if (typeof one !== 'object' || one === null) continue;
      this.#listener?.received(one as Message, bytes);
    }
  }

  /** Refuses a message of the upstream. The side that waits for it, client or upstream, gets the reason. */
  #refuse(id: string | number | undefined, asks: boolean, message: string): void {
    if (id === undefined) return;
    const error = refusalMessage(id, message);
    if (asks) this.send(error).catch(() => undefined); // The upstream has ended.
    else this.#listener?.received(error, undefined);
  }
}

function remember(pid: number): void {
  living.add(pid);
  if (hasExitHook) return;
  hasExitHook = true;
  // However this process ends, its upstreams end with it.
  process.once('exit', () => {
    for (const one of living) signalGroup(one, 'SIGKILL');
  });
}
