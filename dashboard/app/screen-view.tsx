import { type ComponentType, type LazyExoticComponent, Suspense, lazy, useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { Loading } from '../component/loading.tsx';
import { type ScreenProps, screens } from '../screens.ts';
import { NoScreen } from './no-screen.tsx';
import { Boundary } from './boundary.tsx';

/** The screens as lazy components, loaded at the first visit. */
const loaded: readonly { readonly path: string; readonly View: LazyExoticComponent<ComponentType<ScreenProps>> }[] =
  screens.map(({ path, load }) => ({ path, View: lazy(load) }));

/** The screen of the current URL. Screen readers announce a change. */
export function ScreenView() {
  const [path] = useLocation();
  const place = useRef<HTMLDivElement>(null);
  const first = useRef(true);
  useEffect(() => {
    if (!first.current) {
      window.scrollTo(0, 0);
      place.current?.focus({ preventScroll: true });
    }
    first.current = false;
  }, [path]);
  return (
    <div className="screen" ref={place} tabIndex={-1}>
      <Boundary key={path}>
        <Suspense fallback={<Loading />}>
          <Switch>
            {loaded.map(({ path: pattern, View }) => (
              <Route key={pattern} path={pattern}>
                {(params) => <View params={params as Record<string, string>} />}
              </Route>
            ))}
            <Route>
              <NoScreen />
            </Route>
          </Switch>
        </Suspense>
      </Boundary>
    </div>
  );
}
