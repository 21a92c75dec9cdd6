import { count, defineSettings, longestTimerMs, path, structure, text } from '../kernel/setting.ts';

export const settings = defineSettings({
  work: {
    /** How long a session lives that nobody uses. */
    sessionSeconds: count(3600),
    /** How long a claim or a hosted session outlives its host's last sign of life. */
    leaseSeconds: count(60),
    /** After so many wrong passkeys the right one is refused too, for so long. */
    lockout: { tries: count(5), seconds: count(60) },
    /** The passkey that this process's own agent was given. Never shown, never logged. */
    ownPasskey: text({ env: 'AGENT_PASSKEY', inFile: false }),
  },
  runner: {
    pollIntervalMs: count(10_000),
    maxConcurrent: count(3),
    /** Replaces the agent CLI of an `ai_type`. The prompt comes on stdin. */
    commands: structure<Readonly<Record<string, readonly string[]>>>(
      {},
      async () => (await import('./settings-schema.ts')).commandsSchema,
    ),
    /** A Runner alone has the passkeys; every other process in the project reads the same file without them. */
    passkeys: structure<Readonly<Record<string, string>>>(
      {},
      async () => (await import('./settings-schema.ts')).passkeysSchema,
      { unset: 'left out' },
    ),
    /** YAML or JSON: agent id to passkey. */
    passkeyFile: path(),
    /** What a pair waits after a failure; it doubles with each, up to the second number. */
    cooldownMs: count(60_000),
    maxCooldownMs: count(3_600_000),
    timeoutMs: count(24 * 3_600_000, { to: longestTimerMs }),
    /** Where the three questions are asked; undefined: a server of its own over stdio. */
    url: text({
      pattern: /^https?:\/\/[^\s/]+/i,
      what: { en: 'an http or https address', ja: 'http または https のアドレス' },
    }),
    token: text({ unset: 'left out' }),
  },
});
