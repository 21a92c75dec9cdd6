export type Lang = 'en' | 'ja';

/** One text in every language. A language that is missing does not compile. */
export type Text<P> = { readonly [L in Lang]: (params: P) => string };

/** A text in which nothing is filled in. */
export type Words = { readonly [L in Lang]: string };

/** A sentence that nobody has put into a language yet. */
export type Sentence = (lang: Lang) => string;

export type Say = (sentence: Sentence) => string;

/** A text without parameters is called with nothing. */
export type Params<P> = unknown extends P ? [params?: undefined] : [params: P];

export interface PhraseOf<P> {
  readonly text: Text<P>;
  (...given: Params<P>): Sentence;
}

/** Sentences that are part of an answer. `context.say(phrase.agentExit({ code }))`. */
export function definePhrases<P>(texts: { readonly [K in keyof P]: Text<P[K]> }) {
  const phrases = mapTexts(texts, (text) => Object.assign((params: unknown) => sentence(text, params), { text }));
  return phrases as { readonly [K in keyof P]: PhraseOf<P[K]> };
}

export function sentence<P>(text: Text<P>, params: P): Sentence {
  return (lang) => text[lang](params);
}

/** Why something failed: in our words, or in those of another program. */
export type Reason = string | Words;

export function inLang(reason: Reason, lang: Lang): string {
  return typeof reason === 'string' ? reason : reason[lang];
}

/** Words with others in them. */
export function wording(make: (say: (reason: Reason) => string) => string): Words {
  return { en: make((one) => inLang(one, 'en')), ja: make((one) => inLang(one, 'ja')) };
}

export function wordsOf(said: Sentence): Words {
  return { en: said('en'), ja: said('ja') };
}

/** Texts by their keys, each turned into what makes it. */
export function mapTexts(texts: object, map: (text: Text<unknown>, key: string) => unknown): object {
  return Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, map(text as Text<unknown>, key)]));
}
