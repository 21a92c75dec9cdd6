import { execFile } from 'node:child_process';
import { readFile, readdir, readlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { promisify } from 'node:util';
import { signalGroup } from '../wire/child.ts';

/** In the environment of an upstream's process, and so of everything that it starts. */
export const markerName = 'SEKISHO_UPSTREAM';

const run = promisify(execFile);

/** Where process ids mean what they mean here: this machine since it started, and this container. */
export async function hostKey(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '');
  const space = await readlink('/proc/self/ns/pid').catch(() => '');
  return [hostname(), boot.trim(), space].filter((part) => part !== '').join(' ');
}

/** When a process started, in words of the system; undefined where there is none. Tells a number from its reuse. */
export async function startOf(pid: number): Promise<string | undefined> {
  if (process.platform === 'linux') {
    const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
    // The name in parentheses may contain anything; the start is the 20th field behind it.
    return stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  }
  const listed = await run('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => undefined);
  const line = listed?.stdout.trim();
  return line === '' ? undefined : line;
}

/**
 * Ends what is left of an upstream's process: its group, and (where the system shows environments) what left the group
 * but still carries the mark.
 */
export async function endFamily(marker: string, pid: number | undefined, started: string | undefined): Promise<void> {
  if (pid !== undefined && started !== undefined) {
    const now = await startOf(pid);
    // A leader that is gone cannot have been replaced while its group lives; one that started later is a stranger.
    if (now === undefined || now === started) signalGroup(pid, 'SIGKILL');
  }
  for (const one of await marked(marker)) {
    try {
      process.kill(one, 'SIGKILL');
    } catch {
      // It ended by itself.
    }
  }
}

async function marked(marker: string): Promise<readonly number[]> {
  if (process.platform !== 'linux') return [];
  const wanted = `${markerName}=${marker}\0`;
  const ids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
  const found = await Promise.all(
    ids.map(async (id) => {
      const environ = await readFile(`/proc/${id}/environ`, 'latin1').catch(() => ''); // Another user's.
      return environ.startsWith(wanted) || environ.includes(`\0${wanted}`) ? [Number(id)] : [];
    }),
  );
  return found.flat().filter((id) => id !== process.pid);
}
