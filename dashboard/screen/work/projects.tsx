import { usePages } from '../../api/pages.ts';
import type { Output } from '../../api/operations.ts';
import { kinds } from '../../api/queries.ts';
import { Empty } from '../../component/empty.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { Table } from '../../component/table.tsx';
import { Time } from '../../component/time.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import { Standing } from '../../component/standing.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  label: { en: 'Projects', ja: 'プロジェクト' },
  project: { en: 'Project', ja: 'プロジェクト' },
  folder: { en: 'Folder', ja: 'フォルダー' },
  state: { en: 'State', ja: '状態' },
  made: { en: 'Created', ja: '作成' },
  empty: { en: 'No projects yet', ja: 'プロジェクトはまだありません' },
  why: {
    en: 'A project has a folder, tasks, and the agents that can work in it:',
    ja: 'プロジェクトには、フォルダー、タスク、そこで作業できるエージェントがあります:',
  },
});

type Project = Output<'list_projects'>['projects'][number];

export function Projects() {
  const t = useTexts(texts);
  const pages = usePages('list_projects', { limit: 50 }, kinds('project.'), (answer) => answer.projects);
  if (pages.error !== null) return <Failure error={pages.error} retry={pages.retry} />;
  if (pages.rows === undefined) return <Loading />;
  if (pages.rows.length === 0)
    return (
      <Empty title={t.empty} why={t.why} command="sekisho admin create-project --name app --working-directory ." />
    );
  const columns = [
    {
      id: 'project',
      title: t.project,
      cell: (one: Project) => (
        <To href={`/work/projects/${one.project_id}`} row>
          <Visible text={one.project_name} />
        </To>
      ),
    },
    { id: 'state', title: t.state, cell: (one: Project) => <Standing status={one.status} /> },
    { id: 'folder', title: t.folder, cell: (one: Project) => <span className="path">{one.working_directory}</span> },
    { id: 'made', title: t.made, cell: (one: Project) => <Time at={one.created_at} /> },
  ];
  return (
    <>
      <Table label={t.label} columns={columns} rows={pages.rows} idOf={(one) => one.project_id} />
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}
