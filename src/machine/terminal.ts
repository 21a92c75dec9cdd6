import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** The controlling terminal of a process, wherever its streams lead. */
export const terminalPath = '/dev/tty';

/**
 * Whether this process runs in the foreground of a terminal, where a person can type. Its streams do not matter: a person at
 * a terminal can type a line with a pipe in it. A process that a server or an agent started in the background, or in a
 * session of its own, has no such terminal.
 */
export function isAtTerminal(): boolean {
  if (process.platform === 'win32') return process.stdin.isTTY && process.stdout.isTTY;
  const { group, foreground } = groups();
  if (group === undefined || group !== foreground) return false;
  try {
    closeSync(openSync(terminalPath, 'r+'));
    return true;
  } catch {
    return false;
  }
}

interface Groups {
  readonly group: number | undefined;
  /** The foreground process group of the terminal; -1 or 0 without a terminal. */
  readonly foreground: number | undefined;
}

function groups(): Groups {
  try {
    if (process.platform !== 'linux') {
      const shown = execFileSync('ps', ['-o', 'pgid=,tpgid=', '-p', String(process.pid)], { encoding: 'utf8' });
      const [group, foreground] = shown.trim().split(/\s+/).map(Number);
      return { group, foreground };
    }
    const line = readFileSync('/proc/self/stat', 'latin1');
    // The name can contain anything, also spaces and parentheses.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { group: Number(fields[2]), foreground: Number(fields[5]) };
  } catch {
    return { group: undefined, foreground: undefined };
  }
}
