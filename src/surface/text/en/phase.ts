import type { SomeTexts } from '../../texts.ts';

export const phase = {
  problems: {},
  refusals: {},
  phrases: {},
} satisfies SomeTexts;
