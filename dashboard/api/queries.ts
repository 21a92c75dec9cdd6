import { type Query, QueryClient, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { usePreferences } from '../app/preferences.ts';
import { useProject } from '../app/project.tsx';
import { ApiFailure, call, callUser } from './client.ts';
import type { Entry } from './feed.ts';
import type { Input, Name, Output, UserName, UserOutput } from './operations.ts';

/** Which journal entries make an answer stale. */
export type Concern = (entry: Entry) => boolean;

/** Entries whose kind begins with one of these. */
export function kinds(...prefixes: readonly string[]): Concern {
  return ({ kind }) => prefixes.some((prefix) => kind.startsWith(prefix));
}

/** Entries about one thing. */
export function about(subject: string): Concern {
  return (entry) => entry.subject === subject;
}

export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        // The stream says what is stale; a refusal does not become a yes by asking again.
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
  /** How many milliseconds later to ask again although the journal says nothing: what counts up is in no entry. */
  readonly every?: (answer: T) => number | false;
}

/** An operation's answer, kept fresh: it is asked for again when the journal says that something it concerns has changed. */
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

/** Asks again for everything of a project that these entries concern; without entries for all of it, with a name only for that. */
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

/** What is being asked again, and whether something came meanwhile. */
const asking = new WeakMap<Query, 'once' | 'again'>();

/**
 * A question under way is let finish and then asked once more: where it takes longer than the next entry is away, breaking
 * it off each time would never give an answer.
 */
async function askAgain(queries: QueryClient, query: Query): Promise<void> {
  if (asking.has(query)) {
    asking.set(query, 'again');
    return;
  }
  do {
    asking.set(query, 'once');
    await query.promise?.catch(() => undefined); // Its own component shows what went wrong.
    await queries.invalidateQueries({ predicate: (one) => one === query });
  } while (asking.get(query) === 'again');
  asking.delete(query);
}

/** For the moment after one's own action: what it changed should not wait for the stream. */
export function useRefresh(): () => void {
  const queries = useQueryClient();
  const project = useProject();
  return useCallback(() => {
    void queries.invalidateQueries({ predicate: ({ meta }) => meta?.['project'] === project });
  }, [queries, project]);
}
