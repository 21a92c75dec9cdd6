import { useUserCall } from '../../api/queries.ts';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { Loading } from '../../component/loading.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { ProjectCard } from './project-card.tsx';

const texts = defineTexts({
  title: { en: 'All projects', ja: '全プロジェクト' },
  folders: { en: 'Folders', ja: 'フォルダー' },
  about: {
    en: 'Every folder that this daemon serves. Add one with sekisho init.',
    ja: 'このデーモンが担当するすべてのフォルダー。sekisho init で追加できます。',
  },
});

/** An overview of all projects. */
export default function Projects() {
  const t = useTexts(texts);
  const { data, error, refetch } = useUserCall('list_roots');
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      <Head title={t.title} about={t.about} />
      <h2 className="unseen">{t.folders}</h2>
      <ul className="cards">
        {data.roots.map((root) => (
          <li key={root.path}>
            <ProjectCard {...root} />
          </li>
        ))}
      </ul>
    </>
  );
}
