import { closeSync, openSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { ReadStream, WriteStream } from 'node:tty';
import { terminalPath } from '../../machine/terminal.ts';
import { fitLines } from './fit.ts';
import { escapeControlCharacters } from './escape-control-characters.ts';

/** Asks on the terminal itself: a pipe into the command answers nothing, and its output may go into a file. */
export async function askAtTerminal(text: string, question: string): Promise<boolean> {
  return /^(y|yes|はい)$/i.test(await askLineAtTerminal(text, `${question} [y/N]`));
}

/** The same where Enter means yes: what follows can be undone. */
export async function offerAtTerminal(text: string, question: string): Promise<boolean> {
  return /^(y|yes|はい)?$/i.test(await askLineAtTerminal(text, `${question} [Y/n]`));
}

export async function askLineAtTerminal(text: string, question: string): Promise<string> {
  return withTerminal(async ({ input, output }) => {
    output.write(`${fitLines(escapeControlCharacters(text), output.columns)}\n`);
    const lines = createInterface({ input, output });
    try {
      return (await lines.question(`${escapeControlCharacters(question)} `)).trim();
    } finally {
      lines.close();
    }
  });
}

type Terminal = Pick<ReturnType<typeof openTerminal>, 'input' | 'output'>;

export async function withTerminal<T>(work: (terminal: Terminal) => Promise<T>): Promise<T> {
  const { input, output, close } = openTerminal();
  try {
    return await work({ input, output });
  } finally {
    close();
  }
}

function openTerminal() {
  if (process.platform === 'win32') return { input: process.stdin, output: process.stdout, close: () => undefined };
  const file = openSync(terminalPath, 'r+');
  const input = new ReadStream(file);
  const out = openSync(terminalPath, 'w');
  const output = new WriteStream(out);
  // Some terminals do not know how wide they are.
  output.columns ||= 80;
  output.rows ||= 24;
  const close = () => {
    input.destroy();
    output.destroy();
    // A terminal's stream does not close the file descriptor; the opener does.
    for (const one of [file, out]) {
      try {
        closeSync(one);
      } catch {
        // It did close it after all.
      }
    }
  };
  return { input, output, close };
}
