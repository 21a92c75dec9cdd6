import { useState } from 'react';
import { about, useOperation } from '../../api/queries.ts';
import { useAction } from '../../api/action.ts';
import { AbortedNotice } from '../../component/aborted-notice.tsx';
import { Badge } from '../../component/badge.tsx';
import { Evidence } from '../../component/evidence/evidence.tsx';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { JsonTree } from '../../component/json-tree.tsx';
import { LazyGraph } from '../../component/lazy.tsx';
import { Loading } from '../../component/loading.tsx';
import { Panel } from '../../component/panel.tsx';
import { RunState } from '../../component/run-state.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { Time } from '../../component/time.tsx';
import { To } from '../../component/to.tsx';
import type { ScreenProps } from '../../screens.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { Conditions } from '../approval/conditions.tsx';
import { AbortDialog } from './abort-dialog.tsx';
import { Events } from './events.tsx';
import { History } from './history.tsx';
import { Permissions } from './permissions.tsx';
import { Proof } from './proof.tsx';
import { RunJournal } from './run-journal.tsx';

const texts = defineTexts({
  decide: { en: 'Decide', ja: '判断する' },
  use: { en: 'Make current', ja: '現在の run にする' },
  abort: { en: 'Abort', ja: '中止' },
  current: { en: 'current', ja: '現在の run' },
  final: { en: 'final', ja: '終了' },
  untrusted: { en: 'definition not trusted', ja: '未信頼の定義' },
  process: { en: 'Process', ja: 'プロセス' },
  missing: { en: 'What is missing', ja: '不足しているもの' },
  over: { en: 'The run has ended. Nothing is missing.', ja: 'run は終了しました。不足はありません。' },
  noMore: { en: 'The run was aborted. It needs nothing more.', ja: 'run は中止されました。必要なものはありません。' },
  events: { en: 'What you can do', ja: 'できること' },
  evidence: { en: 'Evidence', ja: '証拠' },
  noEvidence: { en: 'Nothing has been submitted yet.', ja: 'まだ何も提出されていません。' },
  permissions: { en: 'Tools in this state', ja: 'この状態で使えるツール' },
  context: { en: 'Context', ja: 'コンテキスト' },
  history: { en: 'History', ja: '履歴' },
  proof: { en: 'Proof', ja: '証明' },
  journal: { en: 'Journal of this run', ja: 'この run のジャーナル' },
  revision: { en: (revision: number) => `revision ${revision}`, ja: (revision) => `リビジョン ${revision}` },
});

/** Everything about one run. */
export default function RunScreen({ params }: ScreenProps) {
  const t = useTexts(texts);
  const id = params['id'] ?? '';
  const query = useOperation('describe_run', { run_id: id }, about(id));
  const use = useAction('use_run');
  const [aborts, setAborts] = useState(false);
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading />;
  const run = query.data;
  const { current_state: state, is_final: isOver, status } = run;
  return (
    <div className="run">
      <Head
        title={run.title ?? run.process_name}
        about={
          <span className="meta">
            <RunState state={state} status={status} tone="here" />
            {status === 'completed' && <span>{t.final}</span>}
            {run.is_current && <Badge>{t.current}</Badge>}
            {!run.is_trusted && <Badge tone="bad">{t.untrusted}</Badge>}
            <span>{t.revision(run.revision)}</span>
            <ShortId id={run.run_id} length={16} />
            <Time at={run.updated_at} />
          </span>
        }
      >
        {!isOver && (
          <button type="button" onClick={() => setAborts(true)}>
            {t.abort}
          </button>
        )}
        {!run.is_current && !isOver && (
          <button type="button" disabled={use.isPending} onClick={() => use.mutate({ run_id: run.run_id })}>
            {t.use}
          </button>
        )}
        {run.answers.length > 0 && (
          <To href={`/approvals/${run.run_id}`} className="button primary">
            {t.decide}
          </To>
        )}
      </Head>
      {use.error !== null && <Failure error={use.error} />}
      <AbortedNotice aborted={run.aborted} />
      <div className="columns wide-left">
        <div>
          <Panel title={t.process} side={<span className="dim">{`${run.process_id} ${run.process_version}`}</span>}>
            <LazyGraph
              process={run}
              progress={{ current: state, visits: run.visits, ways: run.ways }}
              status={status}
            />
          </Panel>
          <Panel title={t.evidence}>
            {run.artifacts.length === 0 && <p className="dim">{t.noEvidence}</p>}
            {run.artifacts.map((artifact) => (
              <Evidence
                key={`${artifact.path} ${artifact.digest}`}
                runId={run.run_id}
                artifact={artifact}
                open={false}
              />
            ))}
          </Panel>
          <Panel title={t.journal}>
            <RunJournal runId={run.run_id} />
          </Panel>
        </div>
        <div>
          <Panel title={t.missing}>
            {status === 'open' && <Conditions run={run} />}
            {status === 'completed' && <p className="held">{t.over}</p>}
            {status === 'aborted' && <p className="dim">{t.noMore}</p>}
          </Panel>
          <Panel title={t.events}>
            <Events run={run} />
          </Panel>
          <Panel title={t.history}>
            <History runId={run.run_id} />
          </Panel>
          <Panel title={t.permissions}>
            <Permissions permissions={run.tool_permissions} />
          </Panel>
          <Panel title={t.context}>
            <JsonTree value={run.context} />
          </Panel>
          <Panel title={t.proof}>
            <Proof runId={run.run_id} />
          </Panel>
        </div>
      </div>
      {aborts && <AbortDialog runId={run.run_id} onClose={() => setAborts(false)} />}
    </div>
  );
}
