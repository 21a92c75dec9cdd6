import { spawn } from 'node:child_process';
import { type World, bin, node } from './world.ts';

export interface Screen {
  readonly code: number | null;
  /** Everything that was shown, questions and typed answers included. */
  readonly text: string;
}

/** The command line at a real terminal: `script`, which every Debian and macOS has, gives it one. */
export function atTerminal(
  world: Pick<World, 'project' | 'env'>,
  args: readonly string[],
  settings: {
    answers?: Readonly<Record<string, string>>;
    /** Answers every question for yes or no with yes. */
    yes?: boolean;
    env?: Readonly<Record<string, string>>;
    /** A whole line for the shell there, instead of the bare command. */
    shell?: (sekisho: string) => string;
    /** What happens while a question stands, before it is answered. */
    before?: () => Promise<void>;
  } = {},
): Promise<Screen> {
  const own = [node, bin].map(quote).join(' ');
  const line = settings.shell === undefined ? [node, bin, ...args] : ['sh', '-c', settings.shell(own)];
  const form =
    process.platform === 'darwin'
      ? ['-q', '/dev/null', ...line]
      : ['--quiet', '--return', '--command', line.map(quote).join(' '), '/dev/null'];
  const child = spawn('script', form, {
    cwd: world.project,
    env: { ...world.env, TERM: 'xterm-256color', SHELL: '/bin/sh', ...settings.env },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.on('error', () => undefined); // It may end without reading.
  const answers = new Map(Object.entries(settings.answers ?? {}));
  let text = '';
  let agreed = 0;
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk;
    for (; settings.yes === true && agreed < text.split('[y/N]').length - 1; agreed += 1) child.stdin.write('y\n');
    for (const [question, answer] of answers) {
      if (!text.replaceAll('\r\n', '\n').includes(question)) continue;
      answers.delete(question);
      void Promise.resolve(settings.before?.()).then(() => child.stdin.write(`${answer}\r`));
    }
  });
  return new Promise((done, fail) => {
    child.once('error', fail);
    child.once('close', (code) => done({ code, text: text.replaceAll('\r\n', '\n') }));
  });
}

function quote(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
