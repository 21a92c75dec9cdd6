import { useState } from 'react';
import type { Output } from '../../api/operations.ts';
import { about, useOperation } from '../../api/queries.ts';
import { usePreferences } from '../../app/preferences.ts';
import { formatDuration } from '../../../src/graph/duration.ts';
import { Facts } from '../../component/facts.tsx';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { Loading } from '../../component/loading.tsx';
import { Panel } from '../../component/panel.tsx';
import { PlainText } from '../../component/plain-text.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { Time } from '../../component/time.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import type { ScreenProps } from '../../screens.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { AgentStatus, isLive } from '../fleet/agent-status.tsx';
import { Cost, Tokens } from '../fleet/use.tsx';
import { AgentLog } from './agent-log.tsx';
import { AgentResult } from './agent-result.tsx';
import { CancelDialog } from './cancel-dialog.tsx';

const texts = defineTexts({
  cancel: { en: 'Cancel', ja: '中止' },
  log: { en: 'Log', ja: 'ログ' },
  prompt: { en: 'Prompt', ja: 'プロンプト' },
  result: { en: 'Result', ja: '結果' },
  facts: { en: 'Details', ja: '詳細' },
  group: { en: 'Group', ja: 'グループ' },
  program: { en: 'Program', ja: 'プログラム' },
  stage: { en: 'Stage', ja: '段階' },
  elapsed: { en: 'Duration', ja: '所要時間' },
  limit: { en: 'Time limit', ja: '制限時間' },
  calls: { en: 'Calls', ja: '呼び出し' },
  tokens: { en: 'Tokens', ja: 'トークン' },
  cost: { en: 'Cost', ja: '費用' },
  tool: { en: 'Current tool', ja: '使用中' },
  last: { en: 'Last activity', ja: '最新の動き' },
  folder: { en: 'Folder', ja: 'フォルダー' },
  exit: { en: 'Exit code', ja: '終了コード' },
  open: { en: 'Show', ja: '表示' },
});

/** One agent: its prompt, its output, its result. */
export default function AgentScreen({ params }: ScreenProps) {
  const t = useTexts(texts);
  const id = decodeURIComponent(params['id'] ?? '');
  const [cancels, setCancels] = useState(false);
  const query = useOperation('describe_agent', { agentId: id }, about(id), {
    every: ({ status }) => (isLive(status) ? 2000 : false),
  });
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading />;
  const agent = query.data;
  return (
    <div className="run">
      <Head
        title={agent.role}
        about={
          <span className="meta">
            <AgentStatus status={agent.status} />
            <ShortId id={agent.agentId} length={24} />
            <Time at={agent.createdAt} />
          </span>
        }
      >
        {isLive(agent.status) && (
          <button type="button" onClick={() => setCancels(true)}>
            {t.cancel}
          </button>
        )}
      </Head>
      <div className="columns">
        <div>
          <Panel title={t.log}>
            <AgentLog key={agent.agentId} agentId={agent.agentId} />
          </Panel>
          <Panel title={t.prompt}>
            <PlainText text={agent.prompt} />
          </Panel>
        </div>
        <div>
          <Panel title={t.result}>
            <AgentResult result={agent.result} isLive={isLive(agent.status)} />
          </Panel>
          <Panel title={t.facts}>
            <AgentFacts agent={agent} />
          </Panel>
        </div>
      </div>
      {cancels && <CancelDialog agentIds={[agent.agentId]} onClose={() => setCancels(false)} />}
    </div>
  );
}

function AgentFacts({ agent }: { readonly agent: Output<'describe_agent'> }) {
  const t = useTexts(texts);
  const { lang } = usePreferences();
  const facts = [
    agent.groupId === null
      ? undefined
      : { title: t.group, value: <To href={`/fleet/groups/${agent.groupId}`}>{t.open}</To> },
    { title: t.program, value: [agent.cli, agent.model].filter((part) => part !== '').join(' · ') },
    agent.stageIndex === null ? undefined : { title: t.stage, value: agent.stageIndex + 1 },
    agent.startedAt === null ? undefined : { title: t.elapsed, value: formatDuration(agent.elapsed_ms, lang) },
    { title: t.limit, value: formatDuration(agent.timeout_ms, lang) },
    { title: t.calls, value: agent.toolCallCount },
    { title: t.tokens, value: <Tokens usage={agent.usage} /> },
    { title: t.cost, value: <Cost usage={agent.usage} /> },
    agent.currentTool === null ? undefined : { title: t.tool, value: <Visible text={agent.currentTool} /> },
    agent.lastActivity === null ? undefined : { title: t.last, value: <Visible text={agent.lastActivity} /> },
    { title: t.folder, value: <span className="path">{agent.workingDirectory}</span> },
    agent.exitCode === null ? undefined : { title: t.exit, value: agent.exitCode },
  ];
  return <Facts facts={facts} />;
}
