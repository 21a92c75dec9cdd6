import { useLocation } from 'wouter';
import type { UserOutput } from '../api/operations.ts';
import { defineTexts, useTexts } from '../text/text.ts';
import { addressOf } from './address.ts';
import { useProject } from './project.tsx';

const texts = defineTexts({ project: { en: 'Project', ja: 'プロジェクト' } });

/** The choice of the project. Projects of the same name are shown with their parent folder. */
export function ProjectSwitch({ roots }: { readonly roots: UserOutput<'list_roots'>['roots'] }) {
  const t = useTexts(texts);
  const project = useProject();
  const [, navigate] = useLocation();
  const names = roots.map((one) => one.name);
  const shown = roots.some((one) => one.path === project)
    ? roots
    : [...roots, { path: project, name: project.split('/').at(-1) ?? project }];
  if (project === '') return null;
  return (
    <select
      className="project-switch"
      aria-label={t.project}
      title={project}
      value={project}
      onChange={(event) => navigate(addressOf('/', event.target.value))}
    >
      {shown.map(({ path, name }) => (
        <option key={path} value={path}>
          {names.filter((one) => one === name).length > 1 ? path.split('/').slice(-2).join('/') : name}
        </option>
      ))}
    </select>
  );
}
