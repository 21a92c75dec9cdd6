import { useInfiniteQuery } from '@tanstack/react-query';
import { usePreferences } from '../app/preferences.ts';
import { useProject } from '../app/project.tsx';
import { call } from './client.ts';
import type { Input, Name, Output } from './operations.ts';
import type { Concern } from './queries.ts';

/** The fleet's answers have the one, all others the other; one that has two lists has both. */
type CursorField = 'next_cursor' | 'nextCursor';
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

/** Where a page begins, and how many were before it. */
interface Place {
  readonly cursor?: string;
  readonly pages: number;
}

const firstPage: Place = { pages: 0 };
const largest = 500;

/**
 * Each page is twice as long as the one before. When something changes, all that were opened are asked for anew: of a list of
 * a thousand these are five questions, not twenty.
 */
function sizeOf(input: object, pages: number): number {
  const first = 'limit' in input ? Number(input.limit) : 50;
  return Math.min(first * 2 ** pages, largest);
}

/** A list, page by page, kept fresh. `rowsOf` takes the rows out of an answer; `field` says which list's cursor it is, where there are two. */
export function usePages<N extends Paged, R>(
  name: N,
  input: Input<N>,
  concern: Concern,
  rowsOf: (answer: Output<N>) => readonly R[],
  field?: CursorField,
): Pages<R> {
  const project = useProject();
  const { lang } = usePreferences();
  const query = useInfiniteQuery({
    queryKey: [project, name, 'pages', field, input, lang],
    queryFn: ({ pageParam: { cursor, pages }, signal }) =>
      call(project, name, { ...input, ...(cursor !== undefined && { cursor, limit: sizeOf(input, pages) }) }, signal),
    initialPageParam: firstPage,
    getNextPageParam: (last: Output<N>, all): Place | undefined => {
      const cursor = cursorIn(last, field);
      return cursor === undefined ? undefined : { cursor, pages: all.length };
    },
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

function cursorIn(
  answer: { readonly [F in CursorField]?: string | undefined },
  field: CursorField | undefined,
): string | undefined {
  return field === undefined ? (answer.nextCursor ?? answer.next_cursor) : answer[field];
}
