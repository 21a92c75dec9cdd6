import { usePreferences } from '../../app/preferences.ts';
import { formatDuration } from '../../../src/graph/duration.ts';
import { Table } from '../../component/table.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { type Agent, AgentStatus } from './agent-status.tsx';
import { Cost, Tokens } from './use.tsx';

const texts = defineTexts({
  label: { en: 'Agents', ja: 'エージェント' },
  agent: { en: 'Agent', ja: 'エージェント' },
  model: { en: 'Model', ja: 'モデル' },
  state: { en: 'State', ja: '状態' },
  stage: { en: 'Stage', ja: '段階' },
  elapsed: { en: 'Duration', ja: '所要時間' },
  calls: { en: 'Calls', ja: '呼び出し' },
  tokens: { en: 'Tokens', ja: 'トークン' },
  cost: { en: 'Cost', ja: '費用' },
  last: { en: 'Last activity', ja: '最新の動き' },
});

/** The agents of a group or of the whole project, with their present state. */
export function AgentTable({ agents }: { readonly agents: readonly Agent[] }) {
  const t = useTexts(texts);
  const { lang } = usePreferences();
  const columns = [
    {
      id: 'agent',
      title: t.agent,
      cell: (agent: Agent) => (
        <To href={`/fleet/agents/${encodeURIComponent(agent.agentId)}`} row>
          {agent.role} <code className="dim">{agent.agentId.slice(-4)}</code>
        </To>
      ),
    },
    { id: 'state', title: t.state, cell: (agent: Agent) => <AgentStatus status={agent.status} /> },
    { id: 'model', title: t.model, cell: (agent: Agent) => (agent.model === '' ? '–' : agent.model) },
    {
      id: 'stage',
      title: t.stage,
      numeric: true,
      cell: (agent: Agent) => (agent.stageIndex === null ? '–' : agent.stageIndex + 1),
    },
    {
      id: 'elapsed',
      title: t.elapsed,
      cell: (agent: Agent) => (agent.startedAt === null ? '–' : formatDuration(agent.elapsed_ms, lang)),
    },
    { id: 'calls', title: t.calls, numeric: true, cell: (agent: Agent) => agent.toolCallCount },
    { id: 'tokens', title: t.tokens, cell: (agent: Agent) => <Tokens usage={agent.usage} /> },
    { id: 'cost', title: t.cost, numeric: true, cell: (agent: Agent) => <Cost usage={agent.usage} /> },
    {
      id: 'last',
      title: t.last,
      cell: (agent: Agent) => (
        <span className="one-line">
          <Visible text={agent.result?.errorMessage ?? agent.result?.summary ?? agent.lastActivity ?? '–'} />
        </span>
      ),
    },
  ];
  return (
    <div className="whole-words">
      <Table label={t.label} columns={columns} rows={agents} idOf={(agent) => agent.agentId} />
    </div>
  );
}
