import { dotsToUnderscores } from '../../kernel/tool-name.ts';

export type Naming = ReturnType<typeof createNaming>;

/** One upstream keeps its names, several get `<upstream>_<name>`. A name of our own tools, in either spelling, always does. */
export function createNaming(upstreams: readonly string[], ours: readonly string[]) {
  const taken = new Set(ours.flatMap((name) => [name, dotsToUnderscores(name)]));
  const [only] = upstreams.length === 1 ? upstreams : [];
  return {
    /** Returns the name that our clients see. */
    shown: (upstream: string, name: string) =>
      only === undefined || taken.has(name) || taken.has(dotsToUnderscores(name)) ? `${upstream}_${name}` : name,
    /** Returns every (upstream, name) that a shown name could mean, the likeliest first. */
    candidates(shown: string): readonly { readonly upstream: string; readonly name: string }[] {
      const prefixed = upstreams
        .filter((one) => shown.startsWith(`${one}_`))
        // Of `a` and `a_b` the longer one is meant.
        .toSorted((a, b) => b.length - a.length)
        .map((upstream) => ({ upstream, name: shown.slice(upstream.length + 1) }));
      if (only === undefined) return prefixed;
      return [{ upstream: only, name: shown }, ...prefixed];
    },
  };
}
