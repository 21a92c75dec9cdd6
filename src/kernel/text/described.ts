import type * as z from 'zod';
import type { Lang, Words } from './text.ts';

declare const isTold: unique symbol;

/** A field that says what it is in every language. */
export type Told<S extends z.ZodType = z.ZodType> = S & { readonly [isTold]: true };

const known = new WeakMap<z.ZodType, Words>();

/** Says what a field is: in English to models, to people in their language. */
export function told<S extends z.ZodType>(schema: S, words: Words): Told<S> {
  const described = schema.describe(words.en);
  known.set(described, words);
  return described as Told<S>;
}

/** Undefined where a field was told nothing itself. */
export function toldIn(lang: Lang, schema: object): string | undefined {
  return known.get(schema as z.ZodType)?.[lang];
}
