import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { type Entry, type FeedState, openFeed } from '../api/feed.ts';
import { refresh } from '../api/queries.ts';

/** Keeps what is on the page fresh. What comes while the tab is hidden waits until somebody looks. */
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
        // The number in the tab's title and notifications are for whoever looks elsewhere.
        if (document.hidden) refresh(queries, project, entries, 'list_waiting');
        show();
      },
      reset: () => refresh(queries, project),
      state(now) {
        setState(now);
        // What could not be asked while the daemon was away can be asked now.
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
