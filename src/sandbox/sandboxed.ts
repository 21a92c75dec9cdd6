import { closeSync, mkdtempSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { confinedEnvironment } from './allowed.ts';
import { type SandboxPlace, startedClient } from './place.ts';
import type { Launch } from './port.ts';
import { prepare } from './prepare.ts';
import { bwrapArguments, type Features } from './profile.ts';
import { type Refusal, findHiddenProgram, findRefusal } from './refusal.ts';
import { seatbeltProfile } from './seatbelt.ts';
import { realSight } from './sight.ts';
import type { Environment } from '../base/environment.ts';
import { execFileSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { seccompFilter } from './seccomp.ts';

export interface SandboxedLaunch extends Omit<Launch, 'sandbox' | 'hidden'> {
  readonly kind: 'bwrap' | 'sandbox-exec';
}

export type Unavailable =
  | Refusal
  | { readonly reason: 'no-bwrap' | 'platform' | 'architecture' }
  /** It is installed but does not start; `detail` is its error output. */
  | { readonly reason: 'user-namespaces' | 'apparmor' | 'container' | 'other'; readonly detail: string };

const sandboxMark = 'SEKISHO_SANDBOX';

/** Wraps a program in a sandbox without starting it. `probeSandbox` checks that the sandbox works. */
export function wrapInSandbox(
  argv: readonly string[],
  place: SandboxPlace,
  env: Environment,
): SandboxedLaunch | Unavailable {
  const refusal = findRefusal(place, realSight);
  if (refusal !== undefined) return refusal;
  if (process.platform === 'darwin') return onMac(argv, place, env);
  if (process.platform !== 'linux') return { reason: 'platform' };
  const hidden = findHiddenProgram(argv[0], place, realSight);
  if (hidden !== undefined) return hidden;
  const bwrap = findBwrap();
  if (bwrap === undefined) return { reason: 'no-bwrap' };
  const filter = openFilter();
  if (filter === undefined) return { reason: 'architecture' };
  let prepared: ReturnType<typeof prepare> | undefined;
  try {
    prepared = prepare(place);
    const { tidy } = prepared;
    return {
      kind: 'bwrap',
      program: bwrap.program,
      // The first descriptor after the usual three.
      args: [...bwrapArguments(prepared.place, env, realSight, bwrap.features), '--seccomp', '3', '--', ...argv],
      env: environment(place, env, 'bwrap'),
      descriptors: [filter],
      started: () => closeSync(filter),
      ended: tidy,
    };
  } catch (error) {
    closeSync(filter);
    prepared?.tidy().catch(() => undefined); // The next sweep does it.
    throw error;
  }
}

function onMac(argv: readonly string[], place: SandboxPlace, env: Environment): SandboxedLaunch {
  return {
    kind: 'sandbox-exec',
    program: '/usr/bin/sandbox-exec',
    args: ['-p', seatbeltProfile(place, env, realSight), ...argv],
    // Without mounts, the mark contains the path of the session's folder.
    env: environment(place, env, place.session === undefined ? 'sandbox-exec' : `sandbox-exec:${place.session}`),
    descriptors: [],
    started: () => undefined,
    ended: () => Promise.resolve(),
  };
}

function environment(place: SandboxPlace, env: Environment, mark: string): Record<string, string> {
  const client = startedClient(place);
  const folders = client?.home ?? [];
  // Without mounts, all paths stay the same.
  const moves = mark === 'bwrap';
  const set = (variable: string, path: string) => (env[variable] === undefined || !moves ? {} : { [variable]: path });
  return {
    ...confinedEnvironment(env, place.allow),
    ...set('XDG_CACHE_HOME', join(place.home, '.cache')),
    // The folder that they name outside does not exist inside.
    ...Object.assign({}, ...['TMPDIR', 'TMP', 'TEMP'].map((variable) => set(variable, '/tmp'))),
    ...Object.assign(
      {},
      ...folders.map(({ variable, below, path }) => {
        if (variable === undefined) return {};
        // So that the client keeps files beside the folder, which it replaces by renaming, in the folder.
        if (below === undefined) return { [variable]: join(place.home, path) };
        return set(variable, dirname(join(place.home, path)));
      }),
    ),
    [sandboxMark]: mark,
  };
}

/** The paths at which bwrap can be. PATH is not used: an agent's settings can have changed it. */
const candidates = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap', '/run/current-system/sw/bin/bwrap'];

interface Bwrap {
  readonly program: string;
  readonly features: Features;
}

let known: Bwrap | undefined;

function findBwrap(): Bwrap | undefined {
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
function openFilter(): number | undefined {
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
