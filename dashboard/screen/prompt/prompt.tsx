import { useState } from 'react';
import { usePages } from '../../api/pages.ts';
import { about, useOperation } from '../../api/queries.ts';
import { useFilter } from '../../app/address.ts';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { Panel } from '../../component/panel.tsx';
import type { ScreenProps } from '../../screens.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { Labels } from './labels.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { VersionView } from './version-view.tsx';
import { Versions } from './versions.tsx';
import { WithdrawDialog } from './withdraw-dialog.tsx';

const texts = defineTexts({
  publish: { en: 'New version', ja: '新しいバージョン' },
  back: { en: 'Roll back', ja: 'ロールバック' },
  withdraw: { en: 'Withdraw', ja: '取り下げ' },
  versions: { en: 'Versions', ja: 'バージョン' },
  version: { en: (version: number) => `Version ${version}`, ja: (version) => `バージョン ${version}` },
});

type Open = { readonly is: 'publish' | 'back' | 'withdraw' } | { readonly is: 'label'; readonly version: number };

/** One prompt: its versions, their changes, and the served version. */
export default function PromptScreen({ params }: ScreenProps) {
  const t = useTexts(texts);
  const name = decodeURIComponent(params['name'] ?? '');
  const concern = about(`prompt:${name}`);
  const newest = useOperation('show_prompt', { prompt: name, label: 'latest' }, concern);
  const pages = usePages('list_prompt_versions', { prompt: name, limit: 50 }, concern, (answer) => answer.versions);
  const labels = useOperation('list_prompt_versions', { prompt: name, limit: 1 }, concern);
  const [chosen, setChosen] = useFilter('version');
  const [open, setOpen] = useState<Open>();
  const error = newest.error ?? pages.error ?? labels.error;
  if (error !== null) return <Failure error={error} retry={pages.retry} />;
  if (newest.data === undefined || pages.rows === undefined || labels.data === undefined) return <Loading />;
  const pointed = labels.data.labels;
  const production = pointed['production'];
  const latest = newest.data.version;
  const shown = Number(chosen) >= 1 && Number(chosen) <= latest ? Number(chosen) : latest;
  const versions = Array.from({ length: latest }, (_, index) => latest - index);
  const close = () => setOpen(undefined);
  return (
    <div className="run">
      <Head title={newest.data.title ?? name} about={<Labels labels={pointed} />}>
        {production !== undefined && (
          <button type="button" onClick={() => setOpen({ is: 'withdraw' })}>
            {t.withdraw}
          </button>
        )}
        {production !== undefined && latest > 1 && (
          <button type="button" onClick={() => setOpen({ is: 'back' })}>
            {t.back}
          </button>
        )}
        <button type="button" className="primary" onClick={() => setOpen({ is: 'publish' })}>
          {t.publish}
        </button>
      </Head>
      <div className="columns wide-left">
        <div>
          <Panel title={t.version(shown)} side={<code className="dim">{name}</code>}>
            <VersionView key={shown} prompt={name} version={shown} latest={latest} />
          </Panel>
        </div>
        <div>
          <Panel title={t.versions}>
            <Versions
              versions={[...pages.rows]}
              labels={pointed}
              shown={shown}
              onShow={(version) => setChosen(version === latest ? '' : String(version))}
              onLabel={(version) => setOpen({ is: 'label', version })}
            />
            <More onMore={pages.more} isLoading={pages.isLoading} />
          </Panel>
        </div>
      </div>
      {open?.is === 'publish' && <PublishDialog newest={newest.data} onClose={close} />}
      {(open?.is === 'label' || open?.is === 'back') && (
        <MoveDialog
          prompt={name}
          kind={open.is}
          labels={pointed}
          versions={versions}
          version={open.is === 'label' ? open.version : Math.max(1, (production ?? 2) - 1)}
          onClose={close}
        />
      )}
      {open?.is === 'withdraw' && production !== undefined && (
        <WithdrawDialog prompt={name} label="production" version={production} onClose={close} />
      )}
    </div>
  );
}
