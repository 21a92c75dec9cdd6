import { Empty } from '../../component/empty.tsx';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { Table } from '../../component/table.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import { Standing } from '../../component/standing.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { type Identity, useIdentities } from './use-identities.ts';

const texts = defineTexts({
  label: { en: 'Agents', ja: 'エージェント' },
  agent: { en: 'Agent', ja: 'エージェント' },
  role: { en: 'Role', ja: 'ロール' },
  type: { en: 'Type', ja: '種類' },
  state: { en: 'State', ja: '状態' },
  empty: { en: 'No agents yet', ja: '登録されたエージェントはいません' },
  why: {
    en: 'Each agent that takes tasks has its own name and passkey:',
    ja: 'タスクを受け持つエージェントには、名前と専用のパスキーがあります:',
  },
});

/** The registered agents, which can take tasks, running or not. */
export function Identities() {
  const t = useTexts(texts);
  const { rows, error, more, isLoading, retry } = useIdentities();
  if (error !== null) return <Failure error={error} retry={retry} />;
  if (rows === undefined) return <Loading />;
  if (rows.length === 0)
    return <Empty title={t.empty} why={t.why} command="sekisho admin create-agent --name developer --ai-type claude" />;
  const columns = [
    {
      id: 'agent',
      title: t.agent,
      cell: (one: Identity) => (
        <To href={`/work/agents/${one.id}`} row>
          <Visible text={one.name} />
        </To>
      ),
    },
    { id: 'state', title: t.state, cell: (one: Identity) => <Standing status={one.status} /> },
    { id: 'role', title: t.role, cell: (one: Identity) => (one.role === '' ? '–' : <Visible text={one.role} />) },
    { id: 'type', title: t.type, cell: (one: Identity) => <Visible text={one.type} /> },
  ];
  return (
    <>
      <Table label={t.label} columns={columns} rows={rows} idOf={(one) => one.id} />
      <More onMore={more} isLoading={isLoading} />
    </>
  );
}
