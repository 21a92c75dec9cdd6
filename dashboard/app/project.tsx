import { type ReactNode, createContext, useContext } from 'react';

const ProjectContext = createContext('');

/** The root of the current project. */
export function useProject(): string {
  return useContext(ProjectContext);
}

export function ProjectProvider({ project, children }: { readonly project: string; readonly children: ReactNode }) {
  return <ProjectContext value={project}>{children}</ProjectContext>;
}
