/** Where the prompts of a project come from. */
export interface PhaseSettings {
  /** An absolute folder, a URL, or `store`; undefined: `ownPrompts` where that folder exists, else the shipped ones. */
  readonly source: string | undefined;
  readonly ownPrompts: string;
  readonly shippedPrompts: string;
  readonly apiKey: string | undefined;
  /** How the key is shown to a prompt API: `X-API-Key` or `Authorization: Bearer`. */
  readonly auth: 'key' | 'bearer';
  /** Plain `http:` to other machines too. */
  readonly allowHttp: boolean;
  /** Which label of the store's prompts is served. */
  readonly label: string;
  readonly cacheTtlMs: number;
  readonly variables: Readonly<Record<string, string | number | boolean>>;
  readonly list: readonly PhaseItem[];
}

export interface PhaseItem {
  readonly id: string;
  readonly title?: string | undefined;
  /** The prompt's name in the source where it is not the id, or the text itself. */
  readonly prompt?: string | undefined;
  readonly guards?: readonly { readonly type: string; readonly [parameter: string]: unknown }[] | undefined;
  readonly required_files?: readonly string[] | undefined;
  readonly tool_permissions?:
    | {
        readonly allowed?: readonly string[] | undefined;
        readonly denied?: readonly string[] | undefined;
        readonly ask?: readonly string[] | undefined;
      }
    | undefined;
}

declare module '../kernel/context.ts' {
  interface Settings {
    readonly phases: PhaseSettings;
  }
}

declare module '../kernel/problem.ts' {
  interface Problems {
    PHASE_NOT_FOUND: { phase: string; known: readonly string[] };
    /** `includedBy`: the prompt that wants it as a part. */
    PROMPT_NOT_FOUND: { prompt: string; source: string; includedBy: string | undefined; remedy: PromptRemedy };
    INVALID_PHASE_TRANSITION: { phase: string; current: string | undefined; why: 'other' | 'finished' | 'plan' };
    CLOUD_API_ERROR: { prompt: string; url: string; reason: string };
    LABEL_NOT_FOUND: { prompt: string; label: string; known: readonly string[] };
    VERSION_CONFLICT: { prompt: string; expected: number; current: number };
  }
  interface Phrases {
    'phase.completed': { phase: string; next: string };
    'phase.finished': { phase: string };
    'phase.kept': { phase: string; status: 'partial' | 'failed' };
    'phase.checkpoint': { phase: string; checkpoint: string };
    'phase.blocked': { phase: string };
    'phase.previous': Record<never, never>;
    'phase.command': { phase: string };
    'phase.argument': Record<never, never>;
    'prompt.stale': { source: string; reason: string; since: string };
    'prompt.insecure': Record<never, never>;
    'prompt.variable': { variable: string; prompt: string };
    'prompt.cycle': { trail: string };
    'prompt.deep': { limit: number };
    'prompt.too_large': { bytes: number; limit: number };
    'prompt.name': { name: string };
  }
}

export type PromptRemedy = 'file' | 'publish' | 'configure' | 'server';
