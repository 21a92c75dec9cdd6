import type { Query, Value, Write } from '../../../kernel/store.ts';
import { placeholders, valuesOf } from '../../placeholders.ts';
import type { Target } from '../../touched.ts';

/** What the driver sends. A name lets the server keep the plan. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly (Value | readonly Value[])[];
}

export interface Statements {
  of(query: Query): Statement;
  /** Notes what it touched, and fails with `MISSED` when another number of rows is touched than was asked for. */
  writing(write: Write): Statement;
}

/** Raised by `sekisho_note`; a code of our own, so that no error of the server can be taken for it. */
export const MISSED = 'SK001';

const MOST_NAMED = 500;

interface Translated {
  readonly name: string | undefined;
  readonly text: string;
  readonly names: readonly string[];
  readonly distinct: number;
}

export function createStatements(targetOf: (write: Query) => Target): Statements {
  const plain = new Map<string, Translated>();
  const noting = new Map<string, Translated>();
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
    writing(write) {
      const translated = translate(noting, write.sql, (text, count) => noted(text, count, targetOf(write)));
      return statement(translated, [...valuesOf(write, translated.names, translated.distinct), write.rows ?? null]);
    },
  };
}

function noted(text: string, count: number, { table, counted, removes }: Target): string {
  const column = (name: string): string => `${table.name}.${name}`;
  const sized = counted.map(column).map((name) => `coalesce(octet_length(${name}::text) || ':' || ${name}::text, '-')`);
  const digest = removes ? `'null'` : `'"' || encode(sha256(convert_to(${sized.join(' || ')}, 'UTF8')), 'hex') || '"'`;
  const key = `json_build_array(${table.key.map(column).join(', ')})::text`;
  const change = counted.length === 0 ? 'null::text' : `'["${table.name}",' || ${key} || ',' || ${digest} || ']'`;
  return `with touched as (${text} returning ${change} as change)
    select sekisho_note($${count + 1}::bigint, count(*), string_agg(change, ',')) from touched`;
}
