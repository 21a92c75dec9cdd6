import { count, defineSettings, longestTimerMs, path, structure, text } from '../kernel/setting.ts';

export const settings = defineSettings({
  work: {
    /** Time after which an unused session expires. */
    sessionSeconds: count(3600),
    /** Time after its host's last heartbeat at which a claim or a hosted session expires. */
    leaseSeconds: count(60),
    /** After `tries` wrong passkeys, the right one is refused too, for `seconds`. */
    lockout: { tries: count(5), seconds: count(60) },
    /** The passkey of this process's own agent. Never shown, never logged. */
    ownPasskey: text({ env: 'AGENT_PASSKEY', inFile: false }),
  },
  /** Attempts at a task that may fail in a row before it is blocked. */
  budget: { attempts: count(3, { env: null }) },
  runner: {
    pollIntervalMs: count(10_000),
    maxConcurrent: count(3),
    /** Replaces the agent CLI of an `ai_type`. The prompt comes on stdin. */
    commands: structure<Readonly<Record<string, readonly string[]>>>(
      {},
      async () => (await import('./settings-schema.ts')).commandsSchema,
    ),
    /** The variables of the passkeys are set for the Runner only; other processes read the same file and leave unset ones out. */
    passkeys: structure<Readonly<Record<string, string>>>(
      {},
      async () => (await import('./settings-schema.ts')).passkeysSchema,
      { unset: 'left out' },
    ),
    /** YAML or JSON: agent id to passkey. */
    passkeyFile: path(),
    /** Time that a pair waits after a failure; it doubles with each failure, up to `maxCooldownMs`. */
    cooldownMs: count(60_000),
    maxCooldownMs: count(3_600_000),
    timeoutMs: count(24 * 3_600_000, { to: longestTimerMs }),
    /** URL of the server that the Runner asks; undefined: the Runner starts its own server over stdio. */
    url: text({
      pattern: /^https?:\/\/[^\s/]+/i,
      what: { en: 'an http or https address', ja: 'http または https のアドレス' },
    }),
    token: text({ unset: 'left out' }),
  },
});
