import type { Problem as AnyProblem } from '../kernel/problem.ts';

declare module '../kernel/problem.ts' {
  interface Problems {
    /** Nothing is configured that could be activated. */
    UPSTREAM_NONE: Record<never, never>;
    UPSTREAM_UNKNOWN: { upstream: string; known: readonly string[] };
    UPSTREAM_UNREACHABLE: { upstream: string; address: string; cause: string };
    /** In the upstream's own words. */
    UPSTREAM_INIT_FAILED: { upstream: string; tool: string; script: string; cause: string };
    /** `activate` must quote the phrase that the skill's text contains. */
    UPSTREAM_PHRASE: { upstream: string; skill: string | undefined; given: boolean };
    /** Of several, some did not become active. */
    UPSTREAM_ACTIVATION: { active: readonly string[]; failures: readonly AnyProblem[] };
  }
  interface Phrases {
    'upstream.locked': { upstream: string; skill: string | undefined; phrase: boolean; several: boolean };
    'upstream.disconnected': { upstream: string; cause: string; several: boolean };
    'upstream.unreachable': { upstream: string; address: string; cause: string };
    'upstream.init': { upstream: string; cause: string };
    /** The connection broke while the call was running, and nobody knows how far it came. */
    'upstream.interrupted': { upstream: string; tool: string; cause: string; manual: boolean };
    'upstream.bare': { upstream: string };
  }
}
