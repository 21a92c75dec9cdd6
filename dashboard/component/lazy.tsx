import { lazy, Suspense } from 'react';
import { Loading } from './loading.tsx';

const Graph = lazy(() => import('./process-graph/process-graph.tsx'));
const Tasks = lazy(() => import('./task-graph/task-graph.tsx'));
const Diff = lazy(() => import('./difference.tsx'));
const Words = lazy(() => import('./word-difference.tsx'));

/** A graph that is loaded, with its layout code, when it is first drawn. */
export function LazyGraph(props: React.ComponentProps<typeof Graph>) {
  return (
    <Suspense fallback={<Loading />}>
      <Graph {...props} />
    </Suspense>
  );
}

export function LazyTaskGraph(props: React.ComponentProps<typeof Tasks>) {
  return (
    <Suspense fallback={<Loading />}>
      <Tasks {...props} />
    </Suspense>
  );
}

export function LazyDifference(props: React.ComponentProps<typeof Diff>) {
  return (
    <Suspense fallback={<Loading />}>
      <Diff {...props} />
    </Suspense>
  );
}

export function LazyWordDifference(props: React.ComponentProps<typeof Words>) {
  return (
    <Suspense fallback={<Loading />}>
      <Words {...props} />
    </Suspense>
  );
}
