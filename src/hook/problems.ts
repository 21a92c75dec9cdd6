import type { HookEvent } from './client.ts';

declare module '../kernel/problem.ts' {
  interface Problems {
    /** What a hook got on stdin, or was asked, makes no sense. */
    HOOK_INPUT: { client: string; reason: HookFault };
  }
  interface Refusals {
    /** Sekisho's own files are not an agent's to change. */
    protected: { tool: string; path: string };
  }
  interface Phrases {
    'hook.permitted_in': { tool: string; states: readonly string[] };
    /** The hook itself failed; `closed` says whether the call was stopped for it. */
    'hook.failed': { reason: string; closed: boolean };
    'hook.state': {
      run_id: string;
      process: string;
      version: string;
      state: string;
      revision: number;
      prompt: string | null;
      allowed: readonly string[];
      denied: readonly string[];
      ask: readonly string[];
      events: readonly string[];
      missing: readonly string[];
      /** The conversation was shortened: what stood there may be gone. */
      restated: boolean;
    };
    'hook.not_done': { run_id: string; state: string; missing: readonly string[]; events: readonly string[] };
    'hook.usage': { clients: readonly string[]; events: readonly HookEvent[] };
    'hook.trust': { client: string };
  }
}

export type HookFault = 'no_json' | 'no_object' | 'no_tool' | 'no_event' | 'unknown_client';
