import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Features } from './profile.ts';
import { seccompFilter } from './seccomp.ts';

/** Not by PATH: an agent's settings may have changed that. */
const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap'];

export interface Bwrap {
  readonly program: string;
  readonly features: Features;
}

let known: Bwrap | undefined;

/** Undefined where it is not installed. */
export function findBwrap(): Bwrap | undefined {
  known ??= places.map(look).find((one) => one !== undefined);
  return known;
}

function look(program: string): Bwrap | undefined {
  try {
    const version = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? [];
    return { program, features: { disableUserns: Number(major) > 0 || Number(minor) >= 8 } };
  } catch {
    return undefined;
  }
}

/** A file that exists only as this descriptor. */
export function openFilter(): number | undefined {
  const bytes = seccompFilter(process.arch);
  if (bytes === undefined) return undefined;
  const folder = mkdtempSync(join(tmpdir(), 'sekisho-filter-'));
  try {
    writeFileSync(join(folder, 'filter'), bytes, { mode: 0o600 });
    return openSync(join(folder, 'filter'), 'r');
  } finally {
    rmSync(folder, { recursive: true });
  }
}

export function closeFilter(descriptor: number): void {
  closeSync(descriptor);
}
