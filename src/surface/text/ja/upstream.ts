import type { SomeTexts } from '../../texts.ts';

export const upstream = {
  problems: {},
  refusals: {},
  phrases: {},
} satisfies SomeTexts;
