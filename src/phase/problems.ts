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
