import { type ChildProcess, spawn } from 'node:child_process';
import type { ChunkedText } from '../../protocol/chunked-text.ts';
import type { Launch, ConfinedStart } from '../../sandbox/port.ts';
import { endGroup, signalGroup, waitForGroup } from '../../machine/group.ts';
import { messageOf } from '../../base/failure.ts';
import { lineReader, writeLine } from '../../protocol/lines.ts';
import { tooLargeMessage } from '../../kernel/message-size.ts';
import type { Words } from '../../kernel/text/text.ts';
import { causes } from './cause.ts';
import { type Listener, Lost, type Message, type Transport, refusalMessage } from './message.ts';

export interface ChildOptions {
  readonly command: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** How it is started: as it is, or in a sandbox. Throws where it may not be. */
  readonly launch: (start: ConfinedStart) => Promise<Launch>;
  /** Called with the process id as soon as there is one. */
  readonly onStart: (pid: number) => void;
  /** The whole tree has ended. */
  readonly onEnd: () => Promise<unknown>;
  /** Of one message from it. */
  readonly maxMessageBytes: number;
}

const gentleMs = 400;
const termMs = 600;
const keptErrors = 2000;

/** Groups that still live when this process exits without having closed them. */
const living = new Set<number>();
let hooked = false;

/** An upstream as a process of its own, in its own process group, with JSON lines on stdin and stdout. */
export class ChildTransport implements Transport {
  readonly #options: ChildOptions;
  #child: ChildProcess | undefined;
  #listener: Listener | undefined;
  #errors = '';
  #ended: Promise<void> | undefined;
  #launch: Launch | undefined;
  /** Settles when the last line that was sent is written, or failed. */
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
          new Lost(error.code === 'ENOENT' ? causes.notFound(program) : error.message, false, {
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
      child.stdout?.on('data', this.#reader());
      child.stderr?.on('data', (chunk: Buffer) => {
        this.#errors = (this.#errors + chunk.toString('utf8')).slice(-keptErrors);
      });
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream?.on('error', () => undefined); // `exit` tells.
    });
  }

  /** Sends one line after the other: of lines that Node writes together, nobody could say which ones arrived. */
  send(message: Message): Promise<void> {
    const writing = this.#writing.then(() => this.#write(message));
    this.#writing = writing.catch(() => undefined); // The sender hears of it.
    return writing;
  }

  /** A line that the pipe did not take whole has not arrived. */
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
    // Fails the lines that still wait, so that their senders hear that they are unsent.
    this.#child?.stdin?.destroy();
    await this.#writing;
  }

  /** First its stdin closes, then the group is asked, then it is killed. */
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
    // None: a banner on stdout, the most common fault of servers, and harmless.
    const message = line.json();
    for (const one of Array.isArray(message) ? (message as unknown[]) : [message]) {
      if (typeof one !== 'object' || one === null) continue;
      this.#listener?.received(one as Message, bytes);
    }
  }

  /** What the upstream sent cannot be taken: whoever waits for it, here or there, hears why. */
  #refuse(id: string | number | undefined, asks: boolean, message: string): void {
    if (id === undefined) return;
    const error = refusalMessage(id, message);
    if (asks) this.send(error).catch(() => undefined); // It has gone.
    else this.#listener?.received(error, undefined);
  }

  #obituary(code: number | null, signal: NodeJS.Signals | null): Words {
    const said = this.#errors.trim().split('\n').slice(-3).join(' | ');
    return causes.exited({ code, signal, sandbox: this.#launch?.sandbox, said });
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
