import type { Actor, Context } from './context.ts';
import type { Entry, Query } from './store.ts';

export function actorName(actor: Actor): string {
  return `${actor.role}:${actor.id}${actor.verified ? '' : ' (unverified)'}`;
}

/** Who writes to the journal, and for which project. */
export interface Author extends Pick<Context, 'actor' | 'now'> {
  readonly project: { readonly key: string };
}

/** One journal entry by this context's actor. */
export function entry(context: Author, subject: string, kind: string, data: Readonly<Record<string, unknown>>): Entry {
  return {
    project: context.project.key,
    at: context.now().toISOString(),
    actor: actorName(context.actor),
    subject,
    kind,
    data: JSON.stringify(data),
  };
}

export interface Excerpt {
  readonly subject?: string | undefined;
  readonly kinds?: readonly string[];
  /** Entries above this number, oldest first; without it the newest first. */
  readonly after?: number;
  readonly limit: number;
}

/** Entries with their number and link. */
export function journalQuery({ subject, kinds = [], after, limit }: Excerpt): Query {
  const conditions = [
    ...(after === undefined ? [] : ['seq > :after']),
    ...(subject === undefined ? [] : ['subject = :subject']),
    ...(kinds.length === 0 ? [] : [`kind in (${kinds.map((_, index) => `:kind${index}`).join(', ')})`]),
  ];
  return {
    sql: `select seq, project, at, actor, subject, kind, data, link from journal
      ${conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`}
      order by seq ${after === undefined ? 'desc' : 'asc'} limit :limit`,
    args: {
      limit,
      ...(after !== undefined && { after }),
      ...(subject !== undefined && { subject }),
      ...Object.fromEntries(kinds.map((kind, index) => [`kind${index}`, kind])),
    },
  };
}

/** What hooks noted of a run, newest first. The kind stands in the text: only then is its index used. */
export function receiptsQuery(run: string, limit: number): Query {
  return {
    sql: `select data from journal where subject = :run and kind = 'hook.receipt' order by seq desc limit :limit`,
    args: { run, limit },
  };
}
