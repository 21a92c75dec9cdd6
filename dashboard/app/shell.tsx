import { useEffect } from 'react';
import { useSearch } from 'wouter';
import { useUserCall } from '../api/queries.ts';
import { Failure } from '../component/failure.tsx';
import { Loading } from '../component/loading.tsx';
import { useFeed } from './feed-state.ts';
import { Keys } from './keys.tsx';
import { NoProject } from './no-project.tsx';
import { ProjectProvider } from './project.tsx';
import { ScreenView } from './screen-view.tsx';
import { Sidebar } from './sidebar.tsx';

const lastProject = 'sekisho-project';

/** The frame around every screen: project, menu and connection state. */
export function Shell({ onSignedOut }: { readonly onSignedOut: () => void }) {
  const roots = useUserCall('list_roots');
  const named = new URLSearchParams(useSearch()).get('project');
  const paths = roots.data?.roots.map((one) => one.path) ?? [];
  const before = localStorage.getItem(lastProject) ?? '';
  const project = named ?? (paths.includes(before) ? before : (paths[0] ?? ''));
  useEffect(() => {
    if (project !== '') localStorage.setItem(lastProject, project);
  }, [project]);
  const state = useFeed(project);
  useEffect(() => {
    if (state === 'signed-out') onSignedOut();
  }, [state, onSignedOut]);
  if (roots.error !== null) return <Failure error={roots.error} retry={() => void roots.refetch()} />;
  if (roots.data === undefined) return <Loading />;
  return (
    <ProjectProvider project={project}>
      <div className="shell">
        <Sidebar roots={roots.data.roots} state={state} onSignedOut={onSignedOut} />
        <main className="content" id="content">
          {project === '' ? <NoProject /> : <ScreenView key={project} />}
        </main>
      </div>
      <Keys />
    </ProjectProvider>
  );
}
