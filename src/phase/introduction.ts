import { definePhrases } from '../kernel/text/text.ts';

/** What a client is told at the start. */
export const introduction = definePhrases({
  phase: {
    en: () =>
      'inject_phase_prompt gives the prompt of a phase; transition_to_next_phase ends it once its work is done.',
    ja: () => 'inject_phase_prompt でフェーズのプロンプトを得て、終わったら transition_to_next_phase で次へ進みます。',
  },
});
