import { useInfiniteQuery } from '@tanstack/react-query';
import { usePreferences } from '../app/preferences.ts';
import { useProject } from '../app/project.tsx';
import { call } from './client.ts';
import type { Input, Name, Output } from './operations.ts';
import type { Concern } from './queries.ts';

/** The fleet's answers have the one, all others the other. */
type Cursors = { next_cursor?: string | undefined } | { nextCursor?: string | undefined };

/** Operations whose answer is a page of a list. */
type Paged = { [N in Name]: Output<N> extends Cursors ? N : never }[Name];

export interface Pages<R> {
  /** Undefined until the first page is there. */
  readonly rows: readonly R[] | undefined;
  readonly error: Error | null;
  readonly isLoading: boolean;
  /** Undefined where there is no more. */
  readonly more: (() => void) | undefined;
  readonly retry: () => void;
}

/** A list, page by page, kept fresh. `rowsOf` takes the rows out of an answer. */
export function usePages<N extends Paged, R>(
  name: N,
  input: Input<N>,
  concern: Concern,
  rowsOf: (answer: Output<N>) => readonly R[],
): Pages<R> {
  const project = useProject();
  const { lang } = usePreferences();
  const query = useInfiniteQuery({
    queryKey: [project, name, 'pages', input, lang],
    queryFn: ({ pageParam, signal }) =>
      call(project, name, { ...input, ...(pageParam !== undefined && { cursor: pageParam }) }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (last: Output<N>) => cursorIn(last),
    meta: { project, concern },
  });
  const { data, error, hasNextPage, isFetchingNextPage } = query;
  return {
    rows: data?.pages.flatMap(rowsOf),
    error,
    isLoading: isFetchingNextPage,
    more: hasNextPage ? () => void query.fetchNextPage() : undefined,
    retry: () => void query.refetch(),
  };
}

function cursorIn(answer: Cursors): string | undefined {
  return (
    ('nextCursor' in answer ? answer.nextCursor : undefined) ??
    ('next_cursor' in answer ? answer.next_cursor : undefined)
  );
}
