import { useInfiniteQuery } from '@tanstack/react-query';
import { usePreferences } from '../app/preferences.ts';
import { useProject } from '../app/project.tsx';
import { call } from './client.ts';
import type { Input, Name, Output } from './operations.ts';
import type { Concern, Settings } from './queries.ts';

/** The name of the cursor. Operations of the fleet use `nextCursor`, all others `next_cursor`; an answer with two lists has both. */
type CursorField = 'next_cursor' | 'nextCursor';
type Cursors = { next_cursor?: string | undefined } | { nextCursor?: string | undefined };

/** Operations whose answer is a page of a list. */
type Paged = { [N in Name]: Output<N> extends Cursors ? N : never }[Name];

export interface Pages<R> {
  /** Undefined until the first page is loaded. */
  readonly rows: readonly R[] | undefined;
  readonly error: Error | null;
  readonly isLoading: boolean;
  /** Loads the next page; undefined after the last one. */
  readonly more: (() => void) | undefined;
  readonly retry: () => void;
}

/** The start of a page, and the number of pages before it. */
interface Place {
  readonly cursor?: string;
  readonly pages: number;
}

const firstPage: Place = { pages: 0 };
const largest = 500;

/**
 * The size of a page, twice that of the one before. When something changes, all open pages are loaded again: for a list of a
 * thousand that takes five requests instead of twenty.
 */
function sizeOf(input: object, pages: number): number {
  const first = 'limit' in input ? Number(input.limit) : 50;
  return Math.min(first * 2 ** pages, largest);
}

/** A paged list that is kept up to date. `rowsOf` extracts the rows of an answer; `field` names the cursor if there are two lists. */
export function usePages<N extends Paged, R>(
  name: N,
  input: Input<N>,
  concern: Concern,
  rowsOf: (answer: Output<N>) => readonly R[],
  field?: CursorField,
  { every }: Pick<Settings<readonly R[]>, 'every'> = {},
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
    refetchInterval: ({ state }) =>
      state.data === undefined ? false : (every?.(state.data.pages.flatMap(rowsOf)) ?? false),
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
