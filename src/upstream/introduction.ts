import { definePhrases } from '../kernel/text/text.ts';

/** What a client is told at the start. */
export const introduction = definePhrases({
  locked: {
    en: ({ upstream, skill }: { upstream: string; skill: string | undefined }) =>
      `The tools of "${upstream}" are locked: ${skill === undefined ? 'call activate' : `load the skill "${skill}" (/${skill}), then call activate`}.`,
    ja: ({ upstream, skill }) =>
      `「${upstream}」のツールはロックされています。${skill === undefined ? '' : `スキル「${skill}」(/${skill})をロードしてから `}activate を呼んでください。`,
  },
});
