export type Lang = 'en' | 'ja';

/** One text in every language. A missing language does not compile. */
export type Text<P> = { readonly [L in Lang]: (params: P) => string };

/** A text without parameters, in every language. */
export type Words = { readonly [L in Lang]: string };

/** A sentence whose language is chosen later. */
export type Sentence = (lang: Lang) => string;

export type Say = (sentence: Sentence) => string;

/** The parameters of a text; a text without parameters is called without arguments. */
export type Params<P> = unknown extends P ? [params?: undefined] : [params: P];

export interface PhraseOf<P> {
  readonly text: Text<P>;
  (...given: Params<P>): Sentence;
}

/** English texts by key, each a function of its parameters. */
export type English = Readonly<Record<string, (params: never) => string>>;

/** The Japanese texts for the same keys: a missing or an extra one does not compile. Each module has them in its `ja.ts`. */
export type Japanese<E extends English> = { readonly [K in keyof E]: (params: ParamsOf<E[K]>) => string };

/** The parameters of a text; `unknown` if it has none. */
export type ParamsOf<F> = F extends () => string ? unknown : F extends (params: infer P) => string ? P : never;

/** Defines sentences that are part of an answer. `context.say(phrase.agentExit({ code }))`. */
export function definePhrases<E extends English>(english: E, japanese: Japanese<E>) {
  const phrases = mapTexts(english, japanese, (text) =>
    Object.assign((params: unknown) => sentence(text, params), { text }),
  );
  return phrases as { readonly [K in keyof E]: PhraseOf<ParamsOf<E[K]>> };
}

export function sentence<P>(text: Text<P>, params: P): Sentence {
  return (lang) => text[lang](params);
}

/** Why something failed: in our words, or in those of another program. */
export type Reason = string | Words;

export function inLang(reason: Reason, lang: Lang): string {
  return typeof reason === 'string' ? reason : reason[lang];
}

/** Words that contain other words. */
export function combineWords(make: (say: (reason: Reason) => string) => string): Words {
  return { en: make((one) => inLang(one, 'en')), ja: make((one) => inLang(one, 'ja')) };
}

export function wordsOf(said: Sentence): Words {
  return { en: said('en'), ja: said('ja') };
}

/** Joins both languages by key and maps each text to its factory. */
export function mapTexts<E extends English>(
  english: E,
  japanese: Japanese<E>,
  map: (text: Text<unknown>, key: string) => unknown,
): object {
  return Object.fromEntries(
    Object.keys(english).map((key) => [key, map({ en: english[key], ja: japanese[key] } as Text<unknown>, key)]),
  );
}
