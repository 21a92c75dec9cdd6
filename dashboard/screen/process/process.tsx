import { useState } from 'react';
import { kinds, useOperation } from '../../api/queries.ts';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { LazyGraph } from '../../component/lazy.tsx';
import { Loading } from '../../component/loading.tsx';
import { Panel } from '../../component/panel.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { TrustBadge } from '../../component/trust-badge.tsx';
import { Visible } from '../../component/visible.tsx';
import type { ScreenProps } from '../../screens.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { TrustDialog } from '../inbox/trust-dialog.tsx';
import { NewRunDialog } from '../runs/new-run-dialog.tsx';
import { Findings } from './findings.tsx';
import { ProcessRuns } from './process-runs.tsx';
import { Trust } from './trust.tsx';

const texts = defineTexts({
  version: { en: (version: string) => `version ${version}`, ja: (version) => `バージョン ${version}` },
  look: { en: 'Review the change', ja: '変更内容を確認' },
  newRun: { en: 'New run', ja: '新しい run' },
  process: { en: 'Process', ja: 'プロセス' },
  trust: { en: 'Trust', ja: '信頼' },
  commands: { en: 'Programs it runs', ja: '実行するプログラム' },
  noCommands: { en: 'None. Its conditions start no program.', ja: 'なし。条件はプログラムを起動しません。' },
  findings: { en: 'Check results', ja: '検査結果' },
  runs: { en: 'Runs of this process', ja: 'このプロセスの run' },
});

/** One definition: its graph, its trust, the programs that it runs, and its runs. */
export default function ProcessScreen({ params }: ScreenProps) {
  const t = useTexts(texts);
  const id = decodeURIComponent(params['id'] ?? '');
  const query = useOperation('describe_process', { process_id: id }, kinds('file.'));
  const [dialog, setDialog] = useState<'trust' | 'run'>();
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />;
  if (query.data === undefined) return <Loading />;
  const process = query.data;
  const close = () => setDialog(undefined);
  return (
    <>
      <Head
        title={process.name}
        about={
          <span className="meta">
            <TrustBadge trust={process.trust} />
            <span>{process.process_id}</span>
            <span>{t.version(process.version)}</span>
            <code>
              <Visible text={process.source} />
            </code>
            <ShortId id={process.digest} />
          </span>
        }
      >
        {process.trust !== 'trusted' && (
          <button type="button" onClick={() => setDialog('trust')}>
            {t.look}
          </button>
        )}
        <button type="button" className="primary" onClick={() => setDialog('run')}>
          {t.newRun}
        </button>
      </Head>
      {process.description !== '' && (
        <p>
          <Visible text={process.description} />
        </p>
      )}
      <div className="columns wide-left">
        <div>
          <Panel title={t.process}>
            <LazyGraph process={process} />
          </Panel>
        </div>
        <div>
          <Panel title={t.trust}>
            <Trust trust={process.trust} source={process.source} isShipped={process.is_shipped} />
          </Panel>
          <Panel title={t.commands}>
            {process.commands.length === 0 && <p className="dim">{t.noCommands}</p>}
            <ul className="bare">
              {process.commands.map((one) => (
                <li key={one}>
                  <code>
                    <Visible text={one} />
                  </code>
                </li>
              ))}
            </ul>
          </Panel>
          <Panel title={t.findings}>
            <Findings findings={process.findings} />
          </Panel>
          <Panel title={t.runs}>
            <ProcessRuns processId={process.process_id} />
          </Panel>
        </div>
      </div>
      {dialog === 'trust' && <TrustDialog file={process.source} onClose={close} />}
      {dialog === 'run' && <NewRunDialog processId={process.process_id} onClose={close} />}
    </>
  );
}
