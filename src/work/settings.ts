import * as z from 'zod';

export interface WorkSettings {
  /** How long a session lives that nobody uses. */
  readonly sessionSeconds: number;
  /** How long a claim or a hosted session outlives its host's last sign of life. */
  readonly leaseSeconds: number;
  /** After so many wrong passkeys the right one is refused too, for so long. */
  readonly lockout: { readonly tries: number; readonly seconds: number };
  /** The passkey that this process's own agent was given (`AGENT_PASSKEY`). Never shown, never logged. */
  readonly ownPasskey: string | undefined;
}

export interface RunnerSettings {
  readonly pollIntervalMs: number;
  readonly maxConcurrent: number;
  /** Replaces the agent CLI of an `ai_type`. The prompt comes on stdin. */
  readonly commands: Readonly<Record<string, readonly string[]>>;
  readonly passkeys: Readonly<Record<string, string>>;
  /** YAML or JSON: agent id to passkey. */
  readonly passkeyFile: string | undefined;
  /** What a pair waits after a failure; it doubles with each, up to the second number. */
  readonly cooldownMs: number;
  readonly maxCooldownMs: number;
  readonly timeoutMs: number;
  /** Where the three questions are asked; undefined: a server of its own over stdio. */
  readonly url: string | undefined;
  readonly token: string | undefined;
}

declare module '../kernel/context.ts' {
  interface Settings {
    readonly work: WorkSettings;
    readonly runner: RunnerSettings;
  }
}

const count = z.int().min(1);

/** What `.sekisho/config.yaml` may say about this module: its keys at the top level. */
export const workSection = {
  work: z
    .strictObject({
      sessionSeconds: count.optional(),
      leaseSeconds: count.optional(),
      lockout: z.strictObject({ tries: count.optional(), seconds: count.optional() }).optional(),
    })
    .optional(),
  runner: z
    .strictObject({
      pollIntervalMs: count.optional(),
      maxConcurrent: count.optional(),
      commands: z.record(z.string(), z.array(z.string()).min(1)).optional(),
      passkeys: z
        .record(z.string(), z.string().optional())
        .transform((given) =>
          Object.fromEntries(Object.entries(given).filter((one): one is [string, string] => one[1] !== undefined)),
        )
        .optional(),
      passkeyFile: z.string().optional(),
      cooldownMs: count.optional(),
      maxCooldownMs: count.optional(),
      timeoutMs: count.optional(),
      url: z.url({ protocol: /^https?$/ }).optional(),
      token: z.string().optional(),
    })
    .optional(),
} satisfies z.ZodRawShape;
