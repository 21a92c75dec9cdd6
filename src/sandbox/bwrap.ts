import { execFileSync } from 'node:child_process';
import { mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Features } from './profile.ts';
import { seccompFilter } from './seccomp.ts';

/** The paths at which bwrap can be. PATH is not used: an agent's settings can have changed it. */
const candidates = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap'];

export interface Bwrap {
  readonly program: string;
  readonly features: Features;
}

let known: Bwrap | undefined;

export function findBwrap(): Bwrap | undefined {
  known ??= candidates.map(inspect).find((one) => one !== undefined);
  return known;
}

function inspect(program: string): Bwrap | undefined {
  try {
    const version = execFileSync(program, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
    const [, major = '0', minor = '0'] = /(\d+)\.(\d+)/.exec(version) ?? [];
    return { program, features: { disableUserns: Number(major) > 0 || Number(minor) >= 8 } };
  } catch {
    return undefined;
  }
}

/** Opens the seccomp filter as a file that exists only as this descriptor; undefined if the architecture is not supported. */
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
