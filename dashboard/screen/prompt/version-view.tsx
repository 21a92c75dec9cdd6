import { useState } from 'react';
import { about, useOperation } from '../../api/queries.ts';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { Prose } from '../../component/prose.tsx';
import { Tabs } from '../../component/tabs.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { Change } from './change.tsx';
import { Preview } from './preview.tsx';

const texts = defineTexts({
  views: { en: 'Views', ja: '表示' },
  change: { en: 'Changed words', ja: '変更された語' },
  text: { en: 'Text', ja: '本文' },
  preview: { en: 'Preview', ja: 'プレビュー' },
  against: { en: 'Compared with version', ja: '比較するバージョン' },
  nothing: { en: 'nothing (first version)', ja: 'なし (最初のバージョン)' },
});

interface Props {
  readonly prompt: string;
  readonly version: number;
  readonly latest: number;
}

/** A version: its changes, its source, and a preview. */
export function VersionView({ prompt, version, latest }: Props) {
  const t = useTexts(texts);
  const [from, setFrom] = useState(version - 1);
  const { data, error } = useOperation('show_prompt', { prompt, version }, about(`prompt:${prompt}`));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loading />;
  const others = Array.from({ length: latest + 1 }, (_, index) => latest - index).filter((one) => one !== version);
  const change = () => (
    <>
      <label className="compared">
        {t.against}{' '}
        <select value={from} onChange={(event) => setFrom(Number(event.target.value))}>
          {others.map((one) => (
            <option key={one} value={one}>
              {one === 0 ? t.nothing : one}
            </option>
          ))}
        </select>
      </label>
      <Change prompt={prompt} from={from} to={version} />
    </>
  );
  return (
    <Tabs
      label={t.views}
      tabs={[
        { id: 'text', title: t.text, view: () => <Prose text={data.content} /> },
        { id: 'change', title: t.change, view: change },
        { id: 'preview', title: t.preview, view: () => <Preview prompt={prompt} version={version} /> },
      ]}
    />
  );
}
