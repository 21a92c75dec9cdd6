import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Whether a process runs one of these programs, directly or as the script of an interpreter. */
export function runsOneOf(pid: number, programs: ReadonlySet<string>): boolean {
  return commandLine(pid)
    .slice(0, 2)
    .some((word) => programs.has(basename(word).replace(/\.(c|m)?js$/, '')));
}

function commandLine(pid: number): readonly string[] {
  try {
    // A program that sets its own title has its whole line in one word.
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split(/[\0 ]/);
    return execFileSync('ps', ['-o', 'command=', '-p', String(pid)], { encoding: 'utf8' })
      .trim()
      .split(' ');
  } catch {
    return []; // It has ended.
  }
}
