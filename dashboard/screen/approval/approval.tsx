import { useState } from 'react';
import type { Output } from '../../api/operations.ts';
import { about, useOperation } from '../../api/queries.ts';
import { useGo } from '../../app/address.ts';
import { AbortedNotice } from '../../component/aborted-notice.tsx';
import { Evidence } from '../../component/evidence/evidence.tsx';
import { useReading } from '../../component/evidence/reading.ts';
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
import { History } from '../run/history.tsx';
import { DecisionDialog } from './decision-dialog.tsx';
import { Conditions } from './conditions.tsx';
import { NotMoved } from './not-moved.tsx';

const texts = defineTexts({
  over: { en: 'This run is not waiting for you', ja: 'この run はあなたの判断を待っていません' },
  overWhy: {
    en: 'Another person decided, or the run has moved on. There is nothing to approve here now.',
    ja: 'ほかの人が判断したか、先へ進みました。今ここで承認できるものはありません。',
  },
  approve: { en: 'Approve', ja: '承認' },
  reject: { en: 'Reject', ja: '差し戻し' },
  left: {
    en: (count: number) => `Open the evidence first: ${count} left`,
    ja: (count) => `先に証拠を確認してください (残り ${count} 件)`,
  },
  evidence: { en: 'Evidence', ja: '証拠' },
  all: { en: 'Show all', ja: 'すべて表示' },
  nothing: { en: 'No file was submitted.', ja: '提出されたファイルはありません。' },
  conditions: { en: 'Conditions', ja: '条件' },
  process: { en: 'Progress', ja: '現在位置' },
  context: { en: 'Context', ja: 'コンテキスト' },
  history: { en: 'History', ja: '履歴' },
  revision: { en: (revision: number) => `revision ${revision}`, ja: (revision) => `リビジョン ${revision}` },
  whole: { en: 'Run details', ja: 'run の詳細' },
});

/** The number of files that are open at first. */
const openAtFirst = 3;
const none: Output<'describe_run'>['artifacts'] = [];

/** A decision about a run: its evidence, whether that has changed since, and the consequences. */
export default function Approval({ params }: ScreenProps) {
  const t = useTexts(texts);
  const go = useGo();
  const id = params['id'] ?? '';
  const run = useOperation('describe_run', { run_id: id }, about(id));
  const [verdict, setVerdict] = useState<'approve' | 'reject'>();
  const [isAllOpen, setAllOpen] = useState(false);
  const [answer, setAnswer] = useState<Output<'approve'>>();
  const reading = useReading(run.data?.artifacts ?? none);
  if (run.error !== null) return <Failure error={run.error} retry={() => void run.refetch()} />;
  if (run.data === undefined) return <Loading />;
  const { process_name: process, title, current_state: state, revision, artifacts, answers, updated_at: at } = run.data;
  return (
    <div className="approval">
      <Head
        title={title === null ? process : `${process}: ${title}`}
        about={
          <span className="meta">
            <RunState state={state} status={run.data.status} tone="here" />
            <span>{t.revision(revision)}</span>
            <ShortId id={id} length={16} />
            <Time at={at} />
            <To href={`/runs/${id}`}>{t.whole}</To>
          </span>
        }
      >
        {answers.includes('approve') && reading.left > 0 && (
          <p className="dim hint" role="status">
            {t.left(reading.left)}
          </p>
        )}
        {answers.includes('reject') && (
          <button type="button" onClick={() => setVerdict('reject')}>
            {t.reject}
          </button>
        )}
        {answers.includes('approve') && (
          <button type="button" className="primary" disabled={reading.left > 0} onClick={() => setVerdict('approve')}>
            {t.approve}
          </button>
        )}
      </Head>
      <NotMoved run={run.data} answer={answer} />
      <AbortedNotice aborted={run.data.aborted} />
      {answers.length === 0 && run.data.approvals.length === 0 && run.data.aborted === null && (
        <p className="notice" role="status">
          <b>{t.over}.</b> {t.overWhy}
        </p>
      )}
      <div className="columns">
        <div>
          <Panel
            title={t.evidence}
            side={
              artifacts.length > openAtFirst &&
              !isAllOpen && (
                <button type="button" onClick={() => setAllOpen(true)}>
                  {t.all}
                </button>
              )
            }
          >
            {artifacts.length === 0 && <p className="dim">{t.nothing}</p>}
            {artifacts.map((artifact, index) => (
              <Evidence
                key={`${artifact.path} ${artifact.digest} ${isAllOpen}`}
                runId={run.data.run_id}
                artifact={artifact}
                open={isAllOpen || index < openAtFirst}
                {...(answers.includes('approve') && { reading })}
              />
            ))}
          </Panel>
          <Panel title={t.history}>
            <History runId={run.data.run_id} />
          </Panel>
        </div>
        <div>
          <Panel title={t.conditions}>
            <Conditions run={run.data} />
          </Panel>
          <Panel title={t.process}>
            <LazyGraph
              process={run.data}
              progress={{ current: state, visits: run.data.visits, ways: run.data.ways }}
              status={run.data.status}
            />
          </Panel>
          <Panel title={t.context}>
            <JsonTree value={run.data.context} />
          </Panel>
        </div>
      </div>
      {verdict !== undefined && (
        <DecisionDialog
          verdict={verdict}
          run={run.data}
          unseen={artifacts.filter((one) => reading.markOf(one) === 'accepted')}
          onClose={() => setVerdict(undefined)}
          onDone={(given) => {
            setVerdict(undefined);
            setAnswer(given);
            if (given.moved || verdict === 'reject') go(`/runs/${id}`);
          }}
        />
      )}
    </div>
  );
}
