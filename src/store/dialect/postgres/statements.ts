import type { Query, Value, Write } from '../../../kernel/store.ts';
import { placeholders, valuesOf } from '../../placeholders.ts';
import { changeAhead, type Target } from '../../touched.ts';

/** What the driver sends. A name lets the server keep the plan. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly (Value | readonly Value[])[];
}

export interface Statements {
  of(query: Query): Statement;
  /** All of them as one statement, whose row has the rows of each as JSON. One statement is one snapshot. */
  reading(queries: readonly Query[]): Statement;
  /** Notes what it touched, and fails with `MISSED` when another number of rows is touched than was asked for. */
  writing(write: Write): Statement;
  /**
   * All of them and the journal as one statement; undefined where one may have to see what another one did. `tables` says
   * in the order of the writes what each of them changes.
   */
  committing(writes: readonly Write[], journal: Statement['values']): Committing | undefined;
}

export interface Committing {
  readonly statement: Statement;
  readonly tables: readonly string[];
}

/** Raised where a write missed; a code of our own, so that no error of the server can be taken for it. */
export const MISSED = 'SK001';

const MOST_NAMED = 500;

interface Part {
  readonly sql: string;
  readonly names: readonly string[];
  readonly distinct: number;
}

interface Translated {
  readonly name: string | undefined;
  readonly text: string;
  readonly parts: readonly Part[];
}

/** Writes of one commit. */
interface Joined {
  readonly targets: readonly Target[];
  readonly tables: readonly string[];
  /** They may be one statement. */
  readonly independent: boolean;
}

/** `texts` with their placeholders numbered through; `next` gives the number of one more. */
type Shape = (texts: readonly string[], next: () => string) => string;

export function createStatements(targetOf: (write: Query) => Target): Statements {
  const caches = {
    plain: new Map(),
    reading: new Map(),
    noting: new Map(),
    committing: new Map(),
  } as const satisfies Record<string, Map<string, Translated>>;
  const together = new Map<string, Joined>();
  let named = 0;

  function translate(kind: keyof typeof caches, queries: readonly Query[], shape: Shape, variant = ''): Translated {
    const cache: Map<string, Translated> = caches[kind];
    const key = variant + queries.map(({ sql }) => sql).join('\0');
    const known = cache.get(key);
    if (known) return known;
    let count = 0;
    const next = (): string => `$${(count += 1)}`;
    const found = queries.map(({ sql }) => ({ sql, ...placeholders(sql) }));
    const texts = found.map((one) => one.texts.map((part, index) => (index === 0 ? part : next() + part)).join(''));
    const parts = found.map(({ sql, names }) => ({ sql, names, distinct: new Set(names).size }));
    // Past the limit the texts are surely generated ones: neither kept here nor on the server.
    const name = named < MOST_NAMED ? `sekisho_${(named += 1)}` : undefined;
    const translated = { name, text: shape(texts, next), parts };
    if (name !== undefined) cache.set(key, translated);
    return translated;
  }

  function statement(
    { name, text, parts }: Translated,
    queries: readonly Query[],
    more: Statement['values'] = [],
  ): Statement {
    const given = parts.flatMap(({ names, distinct }, index) => valuesOf(queries[index]!, names, distinct));
    const values = [...given, ...more];
    return name === undefined ? { text, values } : { name, text, values };
  }

  /** What is known of writes by their texts alone. */
  function joined(writes: readonly Write[]): Joined {
    const key = writes.map(({ sql }) => sql).join('\0');
    const found = together.get(key);
    if (found !== undefined) return found;
    const targets = writes.map(targetOf);
    const tables = targets.map(({ table }) => table.name);
    const made = { targets, tables, independent: areIndependent(writes, tables) };
    if (together.size >= MOST_NAMED) together.clear();
    together.set(key, made);
    return made;
  }

  return {
    of: (query) =>
      statement(
        translate('plain', [query], ([text = '']) => text),
        [query],
      ),
    reading: (queries) => statement(translate('reading', queries, joinedReads), queries),
    writing: (write) =>
      statement(
        translate('noting', [write], ([text = ''], next) => noted(text, targetOf(write), next())),
        [write],
        [write.rows ?? null],
      ),
    committing(writes, journal) {
      const { targets, tables, independent } = joined(writes);
      if (!independent) return undefined;
      const ahead = writes.map((write, index) => changeAhead(targets[index]!, write));
      const isKnown = ahead.map((change) => change !== undefined);
      const translated = translate(
        'committing',
        writes,
        (texts, next) => joinedWrites(texts, targets, isKnown, journal.length, next),
        isKnown.join(),
      );
      const known = ahead.flatMap((change) => (change === undefined ? [] : [JSON.stringify(change)]));
      const expected = writes.map(({ rows }) => rows ?? null);
      return { statement: statement(translated, writes, [expected, ...journal, ...known]), tables };
    },
  };
}

function joinedReads(texts: readonly string[]): string {
  // On a line of its own: a text may end in a comment.
  const rows = texts.map((text, index) => `(select json_agg(row_to_json(q)) from (${text}\n) q)::text as r${index}`);
  return `select ${rows.join(', ')}`;
}

/**
 * Writes of one statement all see what was there before it. So they may be joined where each has a table of its own that no
 * other one mentions.
 */
function areIndependent(writes: readonly Write[], tables: readonly string[]): boolean {
  if (new Set(tables).size < tables.length) return false;
  return writes.every(({ sql }, own) => {
    // Not the names of placeholders, which may be those of tables.
    const words = new Set(sql.match(/(?<![:\w])\w+/g));
    return tables.every((table, index) => index === own || !words.has(table));
  });
}

/** A change that is known already is not made out again. */
function joinedWrites(
  texts: readonly string[],
  targets: readonly Target[],
  isKnown: readonly boolean[],
  more: number,
  next: () => string,
): string {
  const written = texts.map((text, index) => {
    const found = isKnown[index] === true ? 'null' : changeOf(targets[index]!);
    return `w${index} as (${text}\n returning ${found} as change)`;
  });
  const expected = next();
  const journal = Array.from({ length: more }, next).join(', ');
  const counts = texts.map((_text, index) => `(select count(*) from w${index})`).join(', ');
  const changes = texts.map((_text, index) =>
    isKnown[index] === true ? `${next()}::text` : `(select string_agg(change, ',') from w${index})`,
  );
  return `with ${written.join(', ')} select sekisho_commit(${expected}::bigint[], array[${counts}],
    array[${changes.join(', ')}], ${journal}) as seq`;
}

function noted(text: string, target: Target, expected: string): string {
  return `with touched as (${text}\n returning ${changeOf(target)} as change)
    select sekisho_note(${expected}::bigint, count(*), string_agg(change, ',')) from touched`;
}

/** A touched row as the journal names it; see `Change`. */
function changeOf({ table, counted, removes }: Target): string {
  if (counted.length === 0) return 'null::text';
  const column = (name: string): string => `${table.name}.${name}`;
  const sized = counted.map(column).map((name) => `coalesce(octet_length(${name}::text) || ':' || ${name}::text, '-')`);
  const digest = removes ? `'null'` : `'"' || encode(sha256(convert_to(${sized.join(' || ')}, 'UTF8')), 'hex') || '"'`;
  const key = `json_build_array(${table.key.map(column).join(', ')})::text`;
  return `'["${table.name}",' || ${key} || ',' || ${digest} || ']'`;
}
