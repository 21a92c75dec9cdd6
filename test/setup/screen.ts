import { createRequire } from 'node:module';
import { getPackage } from '../../scripts/get-package.mjs';

interface Line {
  translateToString(trimRight: boolean): string;
}

interface Emulator {
  readonly buffer: { readonly active: { readonly length: number; getLine(row: number): Line | undefined } };
  write(text: string, done: () => void): void;
}

type EmulatorClass = new (options: object) => Emulator;

/** What a person sees of everything that was written to a terminal of that width: a real emulator, from its first row on. */
export async function seenAt(columns: number, written: string): Promise<string> {
  const require = createRequire(import.meta.url);
  const { Terminal } = require(getPackage('@xterm/headless', '5.5.0')) as { Terminal: EmulatorClass };
  const terminal = new Terminal({
    cols: columns,
    rows: 24,
    scrollback: 5000,
    convertEol: true,
    allowProposedApi: true,
  });
  await new Promise<void>((done) => terminal.write(written, done));
  const { active } = terminal.buffer;
  const rows = Array.from({ length: active.length }, (_, row) => active.getLine(row)?.translateToString(true) ?? '');
  return `${rows.join('\n').trimEnd()}\n`;
}
