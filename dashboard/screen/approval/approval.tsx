import { useState } from 'react';
import { about, useOperation } from '../../api/queries.ts';
import { useGo } from '../../app/address.ts';
import { Badge } from '../../component/badge.tsx';
import { Evidence } from '../../component/evidence/evidence.tsx';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { JsonTree } from '../../component/json-tree.tsx';
import { LazyGraph } from '../../component/lazy.tsx';
import { Loading } from '../../component/loading.tsx';
import { Panel } from '../../component/panel.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { Time } from '../../component/time.tsx';
import { To } from '../../component/to.tsx';
import type { ScreenProps } from '../../screens.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { History } from '../run/history.tsx';
import { DecisionDialog } from './decision-dialog.tsx';
import { Conditions } from './conditions.tsx';

const texts = defineTexts({
  over: { en: 'This run does not wait for you', ja: 'この実行はあなたを待っていません' },
  overWhy: {
    en: 'It was decided by somebody else, or it moved on. Nothing can be approved here now.',
    ja: 'ほかの人が判断したか、先へ進みました。今ここで承認できるものはありません。',
  },
  approve: { en: 'Approve', ja: '承認' },
  reject: { en: 'Reject', ja: '却下' },
  evidence: { en: 'Evidence', ja: '証拠' },
  nothing: { en: 'No file was handed in.', ja: '提出されたファイルはありません。' },
  conditions: { en: 'Conditions', ja: '条件' },
  process: { en: 'Where it stands', ja: '現在位置' },
  context: { en: 'Context', ja: 'コンテキスト' },
  history: { en: 'History', ja: '履歴' },
  revision: { en: (revision: number) => `revision ${revision}`, ja: (revision) => `リビジョン ${revision}` },
  whole: { en: 'The whole run', ja: '実行の全体' },
});

/** A decision: what was handed in, whether it is still that, what it would lead to. An approval is read, not skimmed. */
export default function Approval({ params }: ScreenProps) {
  const t = useTexts(texts);
  const go = useGo();
  const id = params['id'] ?? '';
  const run = useOperation('describe_run', { run_id: id }, about(id));
  const [verdict, setVerdict] = useState<'approve' | 'reject'>();
  if (run.error !== null) return <Failure error={run.error} retry={() => void run.refetch()} />;
  if (run.data === undefined) return <Loading />;
  const { process_name: process, title, current_state: state, revision, artifacts, answers, updated_at: at } = run.data;
  return (
    <div className="approval">
      <Head
        title={title === null ? process : `${process}: ${title}`}
        about={
          <span className="meta">
            <Badge tone="here">{state}</Badge>
            <span>{t.revision(revision)}</span>
            <ShortId id={id} length={16} />
            <Time at={at} />
            <To href={`/runs/${id}`}>{t.whole}</To>
          </span>
        }
      >
        {answers.includes('reject') && (
          <button type="button" onClick={() => setVerdict('reject')}>
            {t.reject}
          </button>
        )}
        {answers.includes('approve') && (
          <button type="button" className="primary" onClick={() => setVerdict('approve')}>
            {t.approve}
          </button>
        )}
      </Head>
      {answers.length === 0 && (
        <p className="notice" role="status">
          <b>{t.over}.</b> {t.overWhy}
        </p>
      )}
      <div className="columns">
        <div>
          <Panel title={t.evidence}>
            {artifacts.length === 0 && <p className="dim">{t.nothing}</p>}
            {artifacts.map((artifact) => (
              <Evidence
                key={`${artifact.path} ${artifact.digest}`}
                runId={run.data.run_id}
                artifact={artifact}
                open={artifacts.length <= 3}
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
              isOver={run.data.is_final}
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
          onClose={() => setVerdict(undefined)}
          onDone={() => {
            setVerdict(undefined);
            go(`/runs/${id}`);
          }}
        />
      )}
    </div>
  );
}
