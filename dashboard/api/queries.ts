import { type Query, QueryClient, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { usePreferences } from '../app/preferences.ts';
import { useProject } from '../app/project.tsx';
import { ApiFailure, call, callUser } from './client.ts';
import type { Entry } from './feed.ts';
import type { Input, Name, Output, UserName, UserOutput } from './operations.ts';

/** Decides whether a journal entry makes an answer stale. */
export type Concern = (entry: Entry) => boolean;

/** Matches entries whose kind begins with one of these prefixes. */
export function kinds(...prefixes: readonly string[]): Concern {
  return ({ kind }) => prefixes.some((prefix) => kind.startsWith(prefix));
}

/** Matches entries with this subject. */
export function about(subject: string): Concern {
  return (entry) => entry.subject === subject;
}

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The stream reports what is stale, and a refused query is not retried.
        staleTime: Number.POSITIVE_INFINITY,
        refetchOnWindowFocus: false,
        retry: (count, error) =>
          count < 2 && error instanceof ApiFailure && (error.status === 0 || error.status >= 500),
      },
    },
  });
}

export interface Settings<T> {
  readonly enabled?: boolean;
  /** The polling interval in milliseconds, for values that change without a journal entry. */
  readonly every?: (answer: T) => number | false;
}

/** An operation's answer that is kept up to date: it is loaded again when a journal entry makes it stale. */
export function useOperation<N extends Name>(
  name: N,
  input: Input<N>,
  concern: Concern,
  { every, ...settings }: Settings<Output<N>> = {},
): UseQueryResult<Output<N>> {
  const project = useProject();
  const { lang } = usePreferences();
  return useQuery<Output<N>>({
    queryKey: [project, name, input, lang],
    queryFn: ({ signal }) => call(project, name, input, signal),
    meta: { project, concern },
    refetchInterval: ({ state: { data } }) => (data === undefined ? false : (every?.(data) ?? false)),
    ...settings,
  });
}

export function useUserCall<N extends UserName>(name: N): UseQueryResult<UserOutput<N>> {
  return useQuery<UserOutput<N>>({ queryKey: ['user', name], queryFn: () => callUser(name) });
}

/** Reloads the queries of a project that these entries make stale; all of them without entries, and one operation's with `only`. */
export function refresh(queries: QueryClient, project: string, entries?: readonly Entry[], only?: Name): void {
  const concerned = queries.getQueryCache().findAll({
    predicate: ({ meta, queryKey: [, name] }) => {
      const { project: of, concern } = (meta ?? {}) as { project?: string; concern?: Concern };
      if (only !== undefined && name !== only) return false;
      return of === project && (entries === undefined || entries.some((entry) => concern?.(entry) === true));
    },
  });
  for (const query of concerned) void askAgain(queries, query);
}

/** The queries that are being reloaded, and whether another reload must follow. */
const asking = new WeakMap<Query, 'once' | 'again'>();

/**
 * Reloads a query. A request under way is finished first and then repeated once: if entries arrive faster than answers,
 * cancelling it each time would never give an answer.
 */
async function askAgain(queries: QueryClient, query: Query): Promise<void> {
  if (asking.has(query)) {
    asking.set(query, 'again');
    return;
  }
  do {
    asking.set(query, 'once');
    await query.promise?.catch(() => undefined); // The component of the query shows the error.
    await queries.invalidateQueries({ predicate: (one) => one === query });
  } while (asking.get(query) === 'again');
  asking.delete(query);
}

/** Refreshes after one's own action, without waiting for the stream. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  const project = useProject();
  return useCallback(() => {
    void queries.invalidateQueries({ predicate: ({ meta }) => meta?.['project'] === project });
  }, [queries, project]);
}
