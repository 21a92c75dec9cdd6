import type { Writable } from 'node:stream';
import { messageOf } from '../../kernel/failure.ts';
import { isLarge, reclaim } from '../../kernel/pieces.ts';
import { written } from '../../kernel/written.ts';
import { causes } from './cause.ts';
import type { Message } from './message.ts';
import { Lost } from './message.ts';

/** Characters that go out together; a longer line goes alone. */
const most = 256 * 1024;

interface Line {
  readonly text: string | Buffer;
  resolve(): void;
  reject(lost: Lost): void;
}

/**
 * Lines on their way to a process. Each write wakes it up, so they go out together where they can: what comes while a write is
 * under way, and what may wait for the end of its turn of the event loop. A line that was not handed over is surely unsent.
 */
export class Outbox {
  readonly #output: Writable;
  readonly #waiting: Line[] = [];
  #isPlanned = false;
  #isWriting = false;
  #isEnding = false;

  constructor(output: Writable) {
    this.#output = output;
  }

  send(message: Message, together: boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ text: written(message, '\n'), resolve, reject });
      if (!together) return this.#post();
      if (!this.#isPlanned) setImmediate(() => this.#post());
      this.#isPlanned = true;
      return undefined;
    });
  }

  /** Nothing follows: what waits is handed over, then the process is told. */
  end(): void {
    this.#isEnding = true;
    this.#post();
  }

  /** Hands over what waits. */
  #post(): void {
    this.#isPlanned = false;
    if (this.#isWriting) return;
    if (!this.#output.writable) return this.drop();
    if (this.#waiting.length === 0) {
      if (this.#isEnding) this.#output.end();
      return;
    }
    const lines = this.#next();
    this.#isWriting = true;
    let isTaken = true;
    this.#write(lines, (error) => {
      this.#isWriting = false;
      // A pipe that takes nothing has delivered nothing; one that does not take all may have delivered the first lines.
      for (const line of lines)
        if (error) line.reject(new Lost(messageOf(error), isTaken && lines.length > 1));
        else line.resolve();
      this.#post();
    });
    isTaken = this.#output.errored === null;
  }

  /** Nobody is left to take what waits. */
  drop(): void {
    for (const line of this.#waiting.splice(0)) line.reject(new Lost(causes.ended, false));
  }

  #next(): readonly Line[] {
    let length = 0;
    const end = this.#waiting.findIndex(({ text }) => (length += text.length) > most);
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : Math.max(end, 1));
  }

  #write(lines: readonly Line[], done: (error: Error | null | undefined) => void): void {
    const length = lines.reduce((sum, { text }) => sum + text.length, 0);
    const last = lines.length - 1;
    if (last > 0) this.#output.cork();
    for (let index = 0; index < last; index += 1) this.#output.write(lines[index]!.text);
    this.#output.write(lines[last]!.text, (error) => {
      done(error);
      // Once the stream has let go of them.
      if (isLarge(length)) setImmediate(() => reclaim(length));
    });
    this.#output.uncork();
  }
}
