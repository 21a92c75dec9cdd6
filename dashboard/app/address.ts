import { useCallback } from 'react';
import { useLocation, useSearch } from 'wouter';
import { useProject } from './project.tsx';

/** An address of the page names its project, so that it means the same to whoever gets it. */
export function addressOf(path: string, project: string, query: Readonly<Record<string, string>> = {}): string {
  const search = new URLSearchParams({ ...query, ...(project !== '' && { project }) });
  const text = search.toString().replaceAll('%2F', '/');
  return text === '' ? path : `${path}?${text}`;
}

export function useAddress(): (path: string) => string {
  const project = useProject();
  return useCallback((path) => addressOf(path, project), [project]);
}

/** Goes to a screen of the same project. */
export function useGo(): (path: string) => void {
  const [, navigate] = useLocation();
  const address = useAddress();
  return useCallback((path) => navigate(address(path)), [navigate, address]);
}

/** A filter that stands in the address; an empty one does not. */
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
