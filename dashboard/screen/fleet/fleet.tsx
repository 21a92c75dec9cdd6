import { useFilter } from '../../app/address.ts';
import { Choice } from '../../component/choice.tsx';
import { Head } from '../../component/head.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { AgentHistory } from './agent-history.tsx';
import { Groups } from './groups.tsx';
import { Roles } from './roles.tsx';

const texts = defineTexts({
  title: { en: 'Fleet', ja: 'フリート' },
  about: {
    en: 'Running and past agents by group, with their logs, tokens and cost.',
    ja: '実行中と過去のエージェント (グループ別)。ログ、トークン、費用も確認できます。',
  },
  view: { en: 'View', ja: '表示' },
  groups: { en: 'Groups', ja: 'グループ' },
  agents: { en: 'Agents', ja: 'エージェント' },
  roles: { en: 'Roles', ja: 'ロール' },
});

export default function Fleet() {
  const t = useTexts(texts);
  const [view] = useFilter('view');
  return (
    <>
      <Head title={t.title} about={t.about} />
      <Choice
        label={t.view}
        name="view"
        options={[
          { id: 'groups', title: t.groups },
          { id: 'agents', title: t.agents },
          { id: 'roles', title: t.roles },
        ]}
      />
      {view === '' && <Groups />}
      {view === 'agents' && <AgentHistory />}
      {view === 'roles' && <Roles />}
    </>
  );
}
