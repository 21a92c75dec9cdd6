import type { SomeTexts } from '../../texts.ts';

export const fleet = {
  problems: {},
  refusals: {},
  phrases: {},
} satisfies SomeTexts;
