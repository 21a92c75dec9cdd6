import { useState } from 'react';
import { useAction } from '../../api/action.ts';
import { kinds, useOperation } from '../../api/queries.ts';
import { Badge } from '../../component/badge.tsx';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { Loading } from '../../component/loading.tsx';
import { Panel } from '../../component/panel.tsx';
import { UpstreamState } from '../../component/upstream-state.tsx';
import { Visible } from '../../component/visible.tsx';
import type { ScreenProps } from '../../screens.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { ActivateDialog } from './activate-dialog.tsx';
import { Calls } from './calls.tsx';
import { UpstreamFacts } from './upstream-facts.tsx';
import { UpstreamTools } from './upstream-tools.tsx';

const texts = defineTexts({
  gated: { en: 'needs activation', ja: '有効化が必要' },
  check: { en: 'Check', ja: '確認' },
  checking: { en: 'Checking…', ja: '確認中…' },
  activate: { en: 'Activate', ja: '有効化' },
  facts: { en: 'Connection', ja: '接続' },
  tools: { en: 'Tools', ja: 'ツール' },
  calls: { en: 'Recent calls', ja: '最近の呼び出し' },
});

/** One upstream: its state, its tools, and its calls. */
export default function UpstreamScreen({ params }: ScreenProps) {
  const t = useTexts(texts);
  const name = decodeURIComponent(params['name'] ?? '');
  const query = useOperation('upstream.status', { upstream: name }, kinds('upstream.', 'file.'));
  const check = useAction('upstream.status');
  const [activates, setActivates] = useState(false);
  if (query.error !== null) return <Failure error={query.error} retry={() => void query.refetch()} />;
  const upstream = query.data?.upstreams[0];
  if (upstream === undefined) return <Loading />;
  return (
    <>
      <Head
        title={name}
        about={
          <span className="meta">
            <UpstreamState state={upstream.state} />
            {upstream.gated && <Badge>{t.gated}</Badge>}
            {upstream.cause !== undefined && <Visible text={upstream.cause} />}
          </span>
        }
      >
        <button type="button" disabled={check.isPending} onClick={() => check.mutate({ upstream: name, check: true })}>
          {check.isPending ? t.checking : t.check}
        </button>
        <button type="button" className="primary" onClick={() => setActivates(true)}>
          {t.activate}
        </button>
      </Head>
      {check.error !== null && <Failure error={check.error} />}
      <div className="columns wide-left">
        <div>
          <Panel title={t.calls}>
            <Calls upstream={name} />
          </Panel>
        </div>
        <div>
          <Panel title={t.facts}>
            <UpstreamFacts upstream={upstream} />
          </Panel>
          <Panel title={t.tools}>
            <UpstreamTools upstream={name} leftOut={upstream.left_out} />
          </Panel>
        </div>
      </div>
      {activates && <ActivateDialog upstream={name} isGated={upstream.gated} onClose={() => setActivates(false)} />}
    </>
  );
}
