import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';

/** The terminal that a process belongs to, whatever its streams are. */
export const terminalPath = '/dev/tty';

/**
 * Does this process run in the foreground of a terminal of its own, where a person can type? Its streams do not matter: a
 * pipe is no terminal, but whoever typed the line with the pipe in it sits at one. A process that some server or agent
 * started in the background, or in a session of its own, has none.
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
  /** The process group that the terminal listens to; -1 or 0 where there is no terminal. */
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
    // The name may contain anything, spaces and parentheses too.
    const fields = line.slice(line.lastIndexOf(')') + 2).split(' ');
    return { group: Number(fields[2]), foreground: Number(fields[5]) };
  } catch {
    return { group: undefined, foreground: undefined };
  }
}
