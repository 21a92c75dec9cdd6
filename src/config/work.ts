import { resolve } from 'node:path';
import type { FileConfig } from './file.ts';
import type { Settings } from '../kernel/context.ts';
import { problem } from '../kernel/problem.ts';

type Environment = Readonly<Record<string, string | undefined>>;

export function workSettings(file: FileConfig, env: Environment): Settings['work'] {
  const given = file.work ?? {};
  return {
    sessionSeconds: whole(env, 'SEKISHO_WORK_SESSION_SECONDS') ?? given.sessionSeconds ?? 3600,
    leaseSeconds: whole(env, 'SEKISHO_WORK_LEASE_SECONDS') ?? given.leaseSeconds ?? 60,
    lockout: { tries: given.lockout?.tries ?? 5, seconds: given.lockout?.seconds ?? 60 },
    ownPasskey: env['AGENT_PASSKEY'] || undefined,
  };
}

export function runnerSettings(file: FileConfig, env: Environment, root: string): Settings['runner'] {
  const given = file.runner ?? {};
  const cooldownMs = whole(env, 'SEKISHO_RUNNER_COOLDOWN_MS') ?? given.cooldownMs ?? 60_000;
  const passkeyFile = env['SEKISHO_RUNNER_PASSKEY_FILE'] ?? given.passkeyFile;
  return {
    pollIntervalMs: whole(env, 'SEKISHO_RUNNER_POLL_INTERVAL_MS') ?? given.pollIntervalMs ?? 10_000,
    maxConcurrent: whole(env, 'SEKISHO_RUNNER_MAX_CONCURRENT') ?? given.maxConcurrent ?? 3,
    commands: given.commands ?? {},
    passkeys: given.passkeys ?? {},
    passkeyFile: passkeyFile === undefined ? undefined : resolve(root, passkeyFile),
    cooldownMs,
    maxCooldownMs: Math.max(cooldownMs, given.maxCooldownMs ?? 3_600_000),
    timeoutMs: whole(env, 'SEKISHO_RUNNER_TIMEOUT_MS') ?? given.timeoutMs ?? 24 * 3_600_000,
    url: env['SEKISHO_RUNNER_URL'] ?? given.url,
    token: env['SEKISHO_RUNNER_TOKEN'] ?? given.token,
  };
}

function whole(env: Environment, name: string): number | undefined {
  const value = env[name];
  if (value === undefined || value === '') return undefined;
  const number = Number(value);
  if (!Number.isInteger(number) || number < 1)
    throw problem.BAD_CONFIGURATION({ file: name, reason: `"${value}" is no positive whole number` });
  return number;
}
