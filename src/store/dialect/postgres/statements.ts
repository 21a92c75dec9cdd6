import type { Query, Value, Write } from '../../../kernel/store.ts';
import { placeholders, valuesOf } from '../../placeholders.ts';

/** What the driver sends. A name lets the server keep the plan. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly (Value | readonly Value[])[];
}

export interface Statements {
  of(query: Query): Statement;
  /** Fails with `MISSED` when another number of rows is touched than was asked for. */
  expecting(write: Write): Statement;
}

/** Raised by `sekisho_expect`; a code of our own, so that no error of the server can be taken for it. */
export const MISSED = 'SK001';

const MOST_NAMED = 500;

interface Translated {
  readonly name: string | undefined;
  readonly text: string;
  readonly names: readonly string[];
  readonly distinct: number;
}

export function createStatements(): Statements {
  const plain = new Map<string, Translated>();
  const guarded = new Map<string, Translated>();
  let named = 0;

  function translate(
    cache: Map<string, Translated>,
    sql: string,
    shape: (text: string, count: number) => string,
  ): Translated {
    const known = cache.get(sql);
    if (known) return known;
    const { texts, names } = placeholders(sql);
    const text = texts.map((part, index) => (index === 0 ? part : `$${index}${part}`)).join('');
    // Past the limit the texts are surely generated ones: neither kept here nor on the server.
    const name = named < MOST_NAMED ? `sekisho_${(named += 1)}` : undefined;
    const translated = { name, text: shape(text, names.length), names, distinct: new Set(names).size };
    if (name !== undefined) cache.set(sql, translated);
    return translated;
  }

  function statement({ name, text }: Translated, values: readonly Value[]): Statement {
    return name === undefined ? { text, values } : { name, text, values };
  }

  function of(query: Query): Statement {
    const translated = translate(plain, query.sql, (text) => text);
    return statement(translated, valuesOf(query, translated.names, translated.distinct));
  }

  return {
    of,
    expecting(write) {
      if (write.rows === undefined) return of(write);
      const translated = translate(
        guarded,
        write.sql,
        (text, count) =>
          `with touched as (${text} returning 1) select sekisho_expect($${count + 1}, (select count(*) from touched))`,
      );
      return statement(translated, [...valuesOf(write, translated.names, translated.distinct), write.rows]);
    },
  };
}
