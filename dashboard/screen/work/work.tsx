import { useFilter } from '../../app/address.ts';
import { Choice } from '../../component/choice.tsx';
import { Head } from '../../component/head.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { Identities } from './identities.tsx';
import { Instances } from './instances.tsx';
import { Projects } from './projects.tsx';

const texts = defineTexts({
  title: { en: 'Work', ja: '作業' },
  about: {
    en: 'Which agent works in which project, with its session and Runner.',
    ja: 'どのエージェントが、どのプロジェクトで、どのセッションと Runner で作業しているか。',
  },
  view: { en: 'View', ja: '表示' },
  who: { en: 'Who works where', ja: '作業の割り当て' },
  projects: { en: 'Projects', ja: 'プロジェクト' },
  agents: { en: 'Agents', ja: 'エージェント' },
});

export default function Work() {
  const t = useTexts(texts);
  const [view] = useFilter('view');
  return (
    <>
      <Head title={t.title} about={t.about} />
      <Choice
        label={t.view}
        name="view"
        options={[
          { id: 'who', title: t.who },
          { id: 'projects', title: t.projects },
          { id: 'agents', title: t.agents },
        ]}
      />
      {view === '' && <Instances />}
      {view === 'projects' && <Projects />}
      {view === 'agents' && <Identities />}
    </>
  );
}
