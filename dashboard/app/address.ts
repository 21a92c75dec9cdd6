import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useProject } from './project.tsx';

/** A URL within the page. It names the project, so that it can be shared. */
export function addressOf(path: string, project: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams({ ...query, ...(project !== '' && { project }) });
  const text = search.toString().replaceAll('%2F', '/');
  return text === '' ? path : `${path}?${text}`;
}

export function useAddress(): (path: string) => string {
  const project = useProject();
  return useCallback((path) => addressOf(path, project), [project]);
}

/** Returns a function that navigates to a screen of the same project. */
export function useGo(): (path: string) => void {
  const [, navigate] = useLocation();
  const address = useAddress();
  return useCallback((path) => navigate(address(path)), [navigate, address]);
}

/** A filter that is kept in the URL, unless it is empty. */
export function useFilter(name: string): readonly [string, (value: string) => void] {
  const [path, navigate] = useLocation();
  const search = useSearch();
  const value = new URLSearchParams(search).get(name) ?? '';
  const set = useCallback(
    (next: string) => {
      const query = new URLSearchParams(search);
      if (next === '') query.delete(name);
      else query.set(name, next);
      navigate(`${path}?${query.toString().replaceAll('%2F', '/')}`, { replace: true });
    },
    [name, navigate, path, search],
  );
  return [value, set];
}
