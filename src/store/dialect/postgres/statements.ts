import type { Query, Value, Write } from '../../../kernel/store/store.ts';
import { leafStart, type SaltedEntry } from '../../chain.ts';
import { splitAtPlaceholders, valuesOf } from '../../placeholders.ts';
import type { WriteTarget, TargetOf } from '../../write-target.ts';
import { CHANNEL } from './hints.ts';

/** A statement for the driver. With a name, the server keeps its plan. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values: readonly (Value | readonly Value[])[];
}

export type Statements = ReturnType<typeof createStatements>;

/** A journal entry as arguments of the database function: its columns, and the start of its leaf. */
export type Line = readonly string[];

export function lineOf(sealed: SaltedEntry): Line {
  const { project, at, actor, subject, kind, data, salt } = sealed;
  return [project, at, actor, subject, kind, data, salt, leafStart(sealed)];
}

/** The error code of a write that touched another number of rows. It is our own code, which no server error has. */
export const MISSED = 'SK001';
/** The error code of a commit after the store was migrated or restored. */
export const EPOCH_PASSED = 'SK002';

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

/** Builds a statement from texts with numbered placeholders; `next` gives one more placeholder. */
type Shape = (texts: readonly string[], next: () => string) => string;

export function createStatements(targetOf: TargetOf) {
  const caches = { plain: new Map(), reading: new Map(), noting: new Map() } as const satisfies Record<
    string,
    Map<string, Translated>
  >;
  let named = 0;

  function translate(kind: keyof typeof caches, queries: readonly Query[], shape: Shape): Translated {
    const cache = caches[kind];
    const key = queries.map(({ sql }) => sql).join('\0');
    const known = cache.get(key);
    if (known) return known;
    let count = 0;
    const next = (): string => `$${(count += 1)}`;
    const found = queries.map(({ sql }) => ({ sql, ...splitAtPlaceholders(sql) }));
    const texts = found.map((one) => one.texts.map((part, index) => (index === 0 ? part : next() + part)).join(''));
    const parts = found.map(({ sql, names }) => ({ sql, names, distinct: new Set(names).size }));
    // Beyond the limit the texts must be generated ones, so they are cached neither here nor on the server.
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

  return {
    of(query: Query): Statement {
      const translated = translate('plain', [query], ([text = '']) => text);
      return statement(translated, [query]);
    },
    /** All queries as one statement, whose row contains the rows of each as JSON. One statement is one snapshot. */
    reading: (queries: readonly Query[]) => statement(translate('reading', queries, joinedReads), queries),
    /** A write that notes the rows it touched. It fails with `MISSED` if their number is not the expected one. */
    writing(write: Write): Statement {
      const translated = translate('noting', [write], ([text = ''], next) => noted(text, targetOf(write), next()));
      return statement(translated, [write], [write.rows ?? null]);
    },
    /** Appends lines to the journal, with the changes that the writes before it noted. */
    recording: (lines: readonly Line[], sender: string | null, epoch: number): Statement => ({
      ...record,
      values: [...columnsOf(lines), sender, epoch],
    }),
    /** Ends a transaction without journal entries: notifies the followers, and fails with `MISSED` in a later epoch. */
    touching: (sender: string | null, epoch: number): Statement => ({ ...touch, values: [sender, epoch] }),
  };
}

function joinedReads(texts: readonly string[]): string {
  // The closing parenthesis is on a line of its own, since a text can end in a comment.
  const rows = texts.map((text, index) => `(select json_agg(row_to_json(q)) from (${text}\n) q)::text as r${index}`);
  return `select ${rows.join(', ')}`;
}

const record = {
  name: 'sekisho_record',
  text: `select sekisho_record('[' || coalesce(current_setting('sekisho.changes', true), '') || ']',
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10) as seq`,
};

/**
 * It runs after the writes, so it needs no lock: a restore waits for the rows that they changed, and what they changed after a
 * restore meets its epoch here.
 */
const touch = {
  name: 'sekisho_touch',
  text: `select max(seq) as seq, sekisho_note(1, count(*), null), case when $1::text is not null then pg_notify('${CHANNEL}', $1) end
    from sekisho_head where epoch = $2`,
};

/** Transposes lines: one array per column. */
function columnsOf(lines: readonly Line[]): readonly (readonly string[])[] {
  return (lines[0] ?? []).map((_value, column) => lines.map((line) => line[column] ?? ''));
}

function noted(text: string, target: WriteTarget, expected: string): string {
  return `with touched as (${text}\n returning ${changeOf(target)} as change)
    select sekisho_note(${expected}::bigint, count(*), string_agg(change, ',')) from touched`;
}

/** SQL for the journal's record of a touched row: see `Change`. */
function changeOf({ table, counted, removes }: WriteTarget): string {
  if (counted.length === 0) return 'null::text';
  const column = (name: string): string => `${table.name}.${name}`;
  const sized = counted.map(({ name, isAdded }) => {
    const shown = table.columns[name]?.startsWith('text') === true ? column(name) : `${column(name)}::text`;
    const given = `octet_length(${shown}), ':', ${shown}`;
    return table.columns[name]?.includes('not null') === true
      ? given
      : `case when ${shown} is null then '${isAdded ? '' : '-'}' else concat(${isAdded ? `'${name}=', ` : ''}${given}) end`;
  });
  const digest = removes ? `'null'` : `'"' || encode(sha256(convert_to(${concatenated(sized)}, 'UTF8')), 'hex') || '"'`;
  const key = `json_build_array(${table.key.map(column).join(', ')})::text`;
  return `'["${table.name}",' || ${key} || ',' || ${digest} || ']'`;
}

/** SQL that concatenates texts. One call is faster than many operators, but a function has at most a hundred arguments. */
function concatenated(parts: readonly string[]): string {
  const most = 30;
  const calls: string[] = [];
  for (let from = 0; from < parts.length; from += most)
    calls.push(`concat(${parts.slice(from, from + most).join(', ')})`);
  return calls.join(' || ');
}
