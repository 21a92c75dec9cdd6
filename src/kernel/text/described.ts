import type * as z from 'zod';
import type { Lang, Words } from './text.ts';

declare const isDescribed: unique symbol;

/** A schema field with a description per language. */
export type Described<S extends z.ZodType = z.ZodType> = S & { readonly [isDescribed]: true };

const known = new WeakMap<z.ZodType, Words>();

/** Describes a field: in English for models, for people in their language. */
export function describe<S extends z.ZodType>(schema: S, words: Words): Described<S> {
  const described = schema.describe(words.en);
  known.set(described, words);
  return described as Described<S>;
}

/** The description of a field; undefined where it has none of its own. */
export function descriptionIn(lang: Lang, schema: object): string | undefined {
  return known.get(schema as z.ZodType)?.[lang];
}

/** A module's words in English, each with its Japanese from `ja`: a text that is missing there does not compile. */
export function bilingual<D extends Readonly<Record<string, string>>>(ja: D) {
  const words = (en: keyof D & string): Words => ({ en, ja: ja[en] ?? en });
  return {
    words,
    described: <S extends z.ZodType>(schema: S, en: keyof D & string): Described<S> => describe(schema, words(en)),
  };
}
