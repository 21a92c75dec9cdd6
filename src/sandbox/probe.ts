import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SandboxPlace } from './place.ts';
import { findRefusal } from './refusal.ts';
import { type Unavailable, wrapInSandbox } from './sandboxed.ts';
import { realSight } from './sight.ts';
import type { Environment } from '../base/environment.ts';

const timeoutMs = 10_000;
const keptOutput = 2000;

export type Probe = { readonly kind: 'bwrap' | 'sandbox-exec' } | Unavailable;

/** Runs `true` in the real profile: on Ubuntu and in Docker, bwrap can be installed but not permitted to work. */
export async function probeSandbox(place: SandboxPlace, env: Environment): Promise<Probe> {
  for (let left = 2; ; left--) {
    const found = await probeOnce(place, env);
    if (left === 0 || !('detail' in found) || !vanished.test(found.detail)) return found;
  }
}

/** The error of bwrap for a file, mostly a socket, that was removed after we saw it. */
const vanished = /Can't (?:create file|mkdir|find source path|get type of source)/;

async function probeOnce(place: SandboxPlace, env: Environment): Promise<Probe> {
  const box = wrapInSandbox(['true'], place, env);
  if ('reason' in box) return box;
  const { code, errors } = await new Promise<{ code: number | null; errors: string }>((resolve) => {
    let kept = '';
    const child = spawn(box.program, [...box.args], {
      env: box.env,
      stdio: ['ignore', 'ignore', 'pipe', ...box.descriptors],
      timeout: timeoutMs,
      killSignal: 'SIGKILL',
    });
    box.started();
    child.stderr?.on('data', (chunk: Buffer) => {
      kept = (kept + chunk.toString('utf8')).slice(-keptOutput);
    });
    child.once('error', (error) => resolve({ code: null, errors: error.message }));
    child.once('close', (status) => resolve({ code: status, errors: kept.trim() }));
  });
  await box.ended();
  return code === 0 ? { kind: box.kind } : { reason: whyNot(errors, readLimits()), detail: errors };
}

/** Probes without touching the project, for checks: placeholders are made in a scratch folder, so none appear in the project. */
export async function probeOutside(place: SandboxPlace, env: Environment): Promise<Probe> {
  const refusal = findRefusal(place, realSight);
  if (refusal !== undefined) return refusal;
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'sekisho-probe-')));
  try {
    const bare = { project: scratch, tree: scratch, cwd: scratch, git: undefined, record: undefined };
    return await probeSandbox({ ...place, ...bare }, env);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

export interface Limits {
  readonly apparmor: boolean;
  readonly namespacesOff: boolean;
  readonly container: boolean;
}

/** The reason why the sandbox did not start, most actionable first. */
export function whyNot(errors: string, limits: Limits): 'user-namespaces' | 'apparmor' | 'container' | 'other' {
  if (!/namespace|uid map|Operation not permitted|Permission denied|RTM_NEWADDR|pivot_root|mount/i.test(errors))
    return 'other';
  if (limits.container) return 'container';
  if (limits.namespacesOff) return 'user-namespaces';
  if (limits.apparmor) return 'apparmor';
  return /namespace|uid map/i.test(errors) ? 'user-namespaces' : 'other';
}

function readLimits(): Limits {
  const setting = (name: string) => {
    try {
      return readFileSync(`/proc/sys/${name}`, 'utf8').trim();
    } catch {
      return undefined; // This kernel has no such limit.
    }
  };
  return {
    apparmor: setting('kernel/apparmor_restrict_unprivileged_userns') === '1',
    namespacesOff: setting('kernel/unprivileged_userns_clone') === '0' || setting('user/max_user_namespaces') === '0',
    container: existsSync('/.dockerenv') || existsSync('/run/.containerenv'),
  };
}
