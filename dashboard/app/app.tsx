import { QueryCache, type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { ApiFailure } from '../api/client.ts';
import { createQueries } from '../api/queries.ts';
import type { Entered } from './enter.ts';
import { Shell } from './shell.tsx';
import { SignedOut } from './signed-out.tsx';

export function App({ entered }: { readonly entered: Entered }) {
  const [standing, setStanding] = useState(entered);
  const [queries] = useState(createQueries);
  useEffect(() => watchSession(queries, () => setStanding('out')), [queries]);
  if (standing !== 'in') return <SignedOut spent={standing === 'spent'} />;
  return (
    <QueryClientProvider client={queries}>
      <Shell onSignedOut={() => setStanding('out')} />
    </QueryClientProvider>
  );
}

/** Signs out the whole page when any query is refused because the session has ended. */
function watchSession(queries: QueryClient, signedOut: () => void): () => void {
  const cache: QueryCache = queries.getQueryCache();
  return cache.subscribe(({ query }) => {
    const { error } = query.state;
    if (error instanceof ApiFailure && error.status === 401) signedOut();
  });
}
