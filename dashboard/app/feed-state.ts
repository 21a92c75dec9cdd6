import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Entry, type FeedState, openFeed } from '../api/feed.ts';
import { refresh } from '../api/queries.ts';

/** Keeps the page up to date. Entries that arrive while the tab is hidden are applied when it is shown. */
export function useFeed(project: string): FeedState {
  const queries = useQueryClient();
  const [state, setState] = useState<FeedState>('connecting');
  const waiting = useRef<Entry[]>([]);
  useEffect(() => {
    if (project === '') return undefined;
    const show = (): void => {
      if (document.hidden || waiting.current.length === 0) return;
      refresh(queries, project, waiting.current);
      waiting.current = [];
    };
    document.addEventListener('visibilitychange', show);
    const close = openFeed(project, {
      entries(entries) {
        waiting.current.push(...entries);
        // A hidden tab still needs the number in its title and its notifications.
        if (document.hidden) refresh(queries, project, entries, 'list_waiting');
        show();
      },
      reset: () => refresh(queries, project),
      state(now) {
        setState(now);
        // Retry the queries that failed while the daemon was gone.
        if (now === 'live') void queries.refetchQueries({ predicate: (one) => one.state.status === 'error' });
      },
    });
    return () => {
      document.removeEventListener('visibilitychange', show);
      close();
    };
  }, [project, queries]);
  return state;
}
