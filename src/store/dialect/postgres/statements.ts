import type { Query, Value, Write } from '../../../kernel/store.ts';
import { placeholders, valuesOf } from '../../placeholders.ts';
import type { Target, TargetOf } from '../../touched.ts';

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
   * All of them and the lines of the journal as one statement; undefined where one may have to see what another one did.
   * `tables` says in the order of the writes what each of them changes.
   */
  committing(writes: readonly Write[], lines: readonly Line[], sender: string | null): Committing | undefined;
  /** The lines alone, with what was noted before. */
  recording(lines: readonly Line[], sender: string | null): Statement;
}

/** A line of the journal as the functions of the database take it: its columns, and the start of its leaf. */
export type Line = readonly string[];

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
  /** That statement, by the numbers of rows that are asked for. */
  readonly whole: Map<string, Translated>;
}

/** `texts` with their placeholders numbered through; `next` gives the number of one more. */
type Shape = (texts: readonly string[], next: () => string) => string;

export function createStatements(targetOf: TargetOf): Statements {
  const caches = {
    plain: new Map(),
    reading: new Map(),
    noting: new Map(),
  } as const satisfies Record<string, Map<string, Translated>>;
  const together = new Map<string, Joined>();
  let named = 0;

  function translate(kind: keyof typeof caches, queries: readonly Query[], shape: Shape): Translated {
    return translated(caches[kind], textsOf(queries), queries, shape);
  }

  function translated(
    cache: Map<string, Translated>,
    key: string,
    queries: readonly Query[],
    shape: Shape,
  ): Translated {
    const known = cache.get(key);
    if (known) return known;
    let count = 0;
    const next = (): string => `$${(count += 1)}`;
    const found = queries.map(({ sql }) => ({ sql, ...placeholders(sql) }));
    const texts = found.map((one) => one.texts.map((part, index) => (index === 0 ? part : next() + part)).join(''));
    const parts = found.map(({ sql, names }) => ({ sql, names, distinct: new Set(names).size }));
    // Past the limit the texts are surely generated ones: neither kept here nor on the server.
    const name = named < MOST_NAMED ? `sekisho_${(named += 1)}` : undefined;
    const made = { name, text: shape(texts, next), parts };
    if (name !== undefined) cache.set(key, made);
    return made;
  }

  function statement(
    { name, text, parts }: Translated,
    queries: readonly Query[],
    more: Statement['values'] = [],
  ): Statement {
    const values: (Value | readonly Value[])[] = [];
    for (const [index, { names, distinct }] of parts.entries())
      for (const value of valuesOf(queries[index]!, names, distinct)) values.push(value);
    for (const value of more) values.push(value);
    return name === undefined ? { text, values } : { name, text, values };
  }

  /** What is known of writes by their texts alone. */
  function joined(writes: readonly Write[]): Joined {
    const key = textsOf(writes);
    const found = together.get(key);
    if (found !== undefined) return found;
    const targets = writes.map(targetOf);
    const tables = targets.map((target) => target.table.name);
    const made = { targets, tables, independent: areIndependent(writes, tables), whole: new Map() };
    // What has no statement of its own is soon known again.
    if (together.size >= MOST_NAMED)
      for (const [text, { whole }] of together) if (whole.size === 0) together.delete(text);
    if (together.size < MOST_NAMED) together.set(key, made);
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
    committing(writes, lines, sender) {
      const { targets, tables, independent, whole } = joined(writes);
      if (!independent) return undefined;
      const [line] = lines;
      const variant = `${lines.length === 1 ? 'one' : 'many'},${writes.map(({ rows }) => rows).join(',')}`;
      const all = translated(whole, variant, writes, (texts, next) =>
        joinedWrites(writes, texts, targets, lines, next),
      );
      const journal = line !== undefined && lines.length === 1 ? line : columnsOf(lines);
      return { statement: statement(all, writes, [...journal, sender]), tables };
    },
    recording: (lines, sender) => ({ ...record, values: [...columnsOf(lines), sender] }),
  };
}

function textsOf(queries: readonly Query[]): string {
  return queries.map(({ sql }) => sql).join('\0');
}

function joinedReads(texts: readonly string[]): string {
  // On a line of its own: a text may end in a comment.
  const rows = texts.map((text, index) => `(select json_agg(row_to_json(q)) from (${text}\n) q)::text as r${index}`);
  return `select ${rows.join(', ')}`;
}

/**
 * Writes of one statement all see what was there before it. So they may be joined where each has a table of its own that no
 * other one mentions. A condition may mention what is only written after it.
 */
function areIndependent(writes: readonly Write[], tables: readonly string[]): boolean {
  if (new Set(tables).size < tables.length) return false;
  return writes.every(({ sql }, own) => {
    // Not the names of placeholders, which may be those of tables.
    const words = new Set(sql.match(/(?<![:\w])\w+/g));
    return tables.toSpliced(own, 1).every((table) => !words.has(table));
  });
}

const record = {
  name: 'sekisho_record',
  text: `select sekisho_record('[' || coalesce(current_setting('sekisho.changes', true), '') || ']',
    $1, $2, $3, $4, $5, $6, $7, $8, $9) as seq`,
};

/** The first of each, the second of each …: an array for every column. */
function columnsOf(lines: readonly Line[]): readonly (readonly string[])[] {
  return (lines[0] ?? []).map((_value, column) => lines.map((line) => line[column] ?? ''));
}

/** Most commits have one line: that one needs no arrays. */
function joinedWrites(
  writes: readonly Write[],
  texts: readonly string[],
  targets: readonly Target[],
  lines: readonly Line[],
  next: () => string,
): string {
  const written = texts.map(
    (text, index) => `w${index} as (${text}\n returning ${changeOf(targets[index]!)} as change)`,
  );
  const expected = `'{${writes.map(({ rows }) => rows ?? 'null').join(',')}}'::bigint[]`;
  const counts = texts.map((_text, index) => `(select count(*) from w${index})`).join(', ');
  const changes = texts.map((_text, index) => `(select string_agg(change, ',') from w${index})`);
  const journal = Array.from({ length: (lines[0]?.length ?? 0) + 1 }, next).join(', ');
  const call =
    lines.length === 1
      ? `sekisho_commit_line(${expected}, array[${counts}], concat_ws(',', ${changes.join(', ') || 'null'}), ${journal})`
      : `sekisho_commit(${expected}, array[${counts}], array[${changes.join(', ')}]::text[], ${journal})`;
  return `with ${written.join(', ')} select ${call} as seq`;
}

function noted(text: string, target: Target, expected: string): string {
  return `with touched as (${text}\n returning ${changeOf(target)} as change)
    select sekisho_note(${expected}::bigint, count(*), string_agg(change, ',')) from touched`;
}

/** A touched row as the journal names it; see `Change`. */
function changeOf({ table, counted, removes }: Target): string {
  if (counted.length === 0) return 'null::text';
  const column = (name: string): string => `${table.name}.${name}`;
  const sized = counted.map((name) => {
    const shown = table.columns[name]?.startsWith('text') === true ? column(name) : `${column(name)}::text`;
    const given = `octet_length(${shown}), ':', ${shown}`;
    return table.columns[name]?.includes('not null') === true
      ? given
      : `case when ${shown} is null then '-' else concat(${given}) end`;
  });
  const digest = removes ? `'null'` : `'"' || encode(sha256(convert_to(${concatenated(sized)}, 'UTF8')), 'hex') || '"'`;
  const key = `json_build_array(${table.key.map(column).join(', ')})::text`;
  return `'["${table.name}",' || ${key} || ',' || ${digest} || ']'`;
}

/** One call for many takes less than an operator for each, but a function has at most a hundred arguments. */
function concatenated(parts: readonly string[]): string {
  const most = 30;
  const calls: string[] = [];
  for (let from = 0; from < parts.length; from += most)
    calls.push(`concat(${parts.slice(from, from + most).join(', ')})`);
  return calls.join(' || ');
}
