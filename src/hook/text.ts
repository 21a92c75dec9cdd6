import type { Say } from '../kernel/context.ts';
import type { Problem } from '../kernel/problem.ts';
import type { SomeTexts } from '../surface/texts.ts';

export interface HookWords {
  readonly say: Say;
  readonly problemText: (problem: Problem) => string;
}

type Write = (given: unknown) => string;

/** What a hook can have to say, in one language: the texts of every module would take longer to load than the decision. */
export async function hookWords(lang: 'en' | 'ja'): Promise<HookWords> {
  const parts: readonly SomeTexts[] = lang === 'ja' ? await japanese() : await english();
  const find = (kind: keyof SomeTexts, key: string): Write | undefined =>
    parts.flatMap((part) => (part[kind] as Readonly<Record<string, Write | undefined>>)[key] ?? [])[0];
  return {
    say: (phrase, params) => find('phrases', phrase)?.(params) ?? phrase,
    problemText(problem) {
      const { code, params } = problem;
      const reason =
        code === 'FORBIDDEN' ? find('refusals', (params as { kind: string }).kind) : find('problems', code);
      // A problem of a module that no hook calls still has its code.
      return reason?.(params) ?? code;
    },
  };
}

async function english(): Promise<readonly SomeTexts[]> {
  const [{ hook }, { gate }, { kernel }] = await Promise.all([
    import('../surface/text/en/hook.ts'),
    import('../surface/text/en/gate.ts'),
    import('../surface/text/en/kernel.ts'),
  ]);
  return [hook, gate, kernel];
}

async function japanese(): Promise<readonly SomeTexts[]> {
  const [{ hook }, { gate }, { kernel }] = await Promise.all([
    import('../surface/text/ja/hook.ts'),
    import('../surface/text/ja/gate.ts'),
    import('../surface/text/ja/kernel.ts'),
  ]);
  return [hook, gate, kernel];
}
