import type { SomeTexts } from '../../texts.ts';

export const work = {
  problems: {},
  refusals: {},
  phrases: {},
} satisfies SomeTexts;
