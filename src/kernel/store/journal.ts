import type { Actor, Context } from '../context.ts';
import { like, escapeLike } from './sql-like.ts';
import type { Entry, Query } from './store.ts';

export function actorName(actor: Actor): string {
  return `${actor.role}:${actor.id}${actor.verified ? '' : ' (unverified)'}`;
}

/** The actor of a journal entry and its project. */
export interface Author extends Pick<Context, 'actor' | 'now'> {
  readonly project: { readonly key: string };
}

/** Makes a journal entry by this context's actor. A person's entry also names their user database. */
export function entry(context: Author, subject: string, kind: string, data: Readonly<Record<string, unknown>>): Entry {
  const { person, userDatabase } = context.actor;
  const mark = person && userDatabase !== undefined ? { user_db: userDatabase } : {};
  return {
    project: context.project.key,
    at: context.now().toISOString(),
    actor: actorName(context.actor),
    subject,
    kind,
    data: JSON.stringify({ ...data, ...mark }),
  };
}

export interface Excerpt {
  readonly project?: string | undefined;
  readonly subject?: string | undefined;
  readonly subjects?: readonly string[];
  readonly kinds?: readonly string[];
  /** The prefix of the kind: `run.` */
  readonly kindPrefix?: string | undefined;
  /** A part of the actor's name. */
  readonly actor?: string | undefined;
  /** A part of any of its texts. */
  readonly text?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  /** Only entries above this number, oldest first. Without it the newest come first. */
  readonly after?: number;
  readonly before?: number | undefined;
  /** Only entries from this number on. */
  readonly from?: number;
  readonly limit: number;
}

const comparisons = [
  ['project', 'project ='],
  ['after', 'seq >'],
  ['before', 'seq <'],
  ['from', 'seq >='],
  ['subject', 'subject ='],
  ['since', 'at >='],
  ['until', 'at <='],
] as const;

/** A query for journal entries with their sequence numbers and links. */
export function journalQuery(excerpt: Excerpt): Query {
  const { subjects = [], kinds = [], kindPrefix, actor, text, after, limit } = excerpt;
  const conditions: readonly (readonly [string, Query['args']])[] = [
    ...comparisons.flatMap(([name, sql]) => {
      const value = excerpt[name];
      return value === undefined ? [] : [[`${sql} :${name}`, { [name]: value }] as const];
    }),
    ...(kindPrefix === undefined ? [] : [[like('kind', ':prefix'), { prefix: `${escapeLike(kindPrefix)}%` }] as const]),
    ...(actor === undefined ? [] : [[like('actor', ':actor'), { actor: `%${escapeLike(actor)}%` }] as const]),
    ...(text === undefined ? [] : [[`(${anywhere})`, { text: `%${escapeLike(text)}%` }] as const]),
    ...oneOf('subject', subjects),
    ...oneOf('kind', kinds),
  ];
  return {
    sql: `select seq, project, at, actor, subject, kind, data, link from journal
      ${conditions.length === 0 ? '' : `where ${conditions.map(([sql]) => sql).join(' and ')}`}
      order by seq ${after === undefined ? 'desc' : 'asc'} limit :limit`,
    args: Object.assign({ limit }, ...conditions.map(([, args]) => args)) as Query['args'],
  };
}

/** A condition for one of these values; an empty list is no condition. */
function oneOf(column: 'subject' | 'kind', list: readonly string[]): readonly (readonly [string, Query['args']])[] {
  if (list.length === 0) return [];
  const names = list.map((_, index) => `${column}${index}`);
  return [
    [
      `${column} in (${names.map((name) => `:${name}`).join(', ')})`,
      Object.fromEntries(names.map((name, index) => [name, list[index] ?? ''])),
    ],
  ];
}

/** The hook receipts of a run, newest first. The kind is part of the SQL text: with a parameter its index is not used. */
export function receiptsQuery(run: string, limit: number): Query {
  return {
    sql: `select data from journal where subject = :run and kind = 'hook.receipt' order by seq desc limit :limit`,
    args: { run, limit },
  };
}

const anywhere = ['kind', 'subject', 'actor', 'data'].map((column) => like(column, ':text')).join(' or ');
