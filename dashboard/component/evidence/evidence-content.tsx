import { useEffect } from 'react';
import { about, useOperation, useRefresh } from '../../api/queries.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { Failure } from '../failure.tsx';
import { JsonTree } from '../json-tree.tsx';
import { LazyDifference } from '../lazy.tsx';
import { Loading } from '../loading.tsx';
import { PlainText } from '../plain-text.tsx';
import { type Tab, Tabs } from '../tabs.tsx';
import { EvidenceImage } from './evidence-image.tsx';
import type { Artifact, Reading } from './reading.ts';

const texts = defineTexts({
  views: { en: 'Views', ja: '表示方法' },
  text: { en: 'Text', ja: 'テキスト' },
  json: { en: 'JSON', ja: 'JSON' },
  image: { en: 'Image', ja: '画像' },
  before: {
    en: (version: number) => `Changes since version ${version}`,
    ja: (version) => `バージョン ${version} との差分`,
  },
  working: { en: 'Difference to the working copy', ja: '作業コピーとの差分' },
  notKept: {
    en: 'The content was not kept: it was too large, or a person removed it. The digest still proves what it was.',
    ja: '内容は保存されていません (大きすぎたか、人が削除しました)。ダイジェストは内容の証拠として残っています。',
  },
  notShown: {
    en: 'This is neither text nor an image that can be shown safely.',
    ja: 'テキストでも、安全に表示できる画像でもありません。',
  },
  changed: {
    en: 'This file has changed since the page was loaded.',
    ja: 'ページの読み込み後に、このファイルの内容が変わりました。',
  },
  reload: { en: 'Reload', ja: '再読み込み' },
  tooLong: { en: 'This text is longer than 1 MiB and is not shown.', ja: '1 MiB を超えるテキストは表示しません。' },
});

interface Props {
  readonly runId: string;
  readonly artifact: Artifact;
  readonly note?: Reading['note'] | undefined;
}

/** The content of a submitted file. The page never interprets what an agent wrote. */
export function EvidenceContent({ runId, artifact, note }: Props) {
  const t = useTexts(texts);
  const refresh = useRefresh();
  const { path, version, digest, is_unchanged: isUnchanged } = artifact;
  const asked = { run_id: runId, path };
  const own = useOperation('read_evidence', { ...asked, version }, about(runId));
  const before = useOperation('read_evidence', { ...asked, version: Math.max(1, version - 1) }, about(runId), {
    enabled: version > 1,
  });
  const working = useOperation('read_evidence', { ...asked, version: 'working' }, about(runId), {
    enabled: isUnchanged === false,
  });
  // With another digest, the screen does not show the file that the person is asked about.
  const isOther = own.data !== undefined && own.data.digest !== digest;
  const isShown = own.data === undefined ? undefined : own.data.text !== null || own.data.base64 !== null;
  const outcome = own.error !== null ? false : isOther ? undefined : isShown;
  useEffect(() => {
    if (outcome !== undefined) note?.(artifact, outcome);
  }, [note, artifact, outcome]);
  if (own.error !== null) return <Failure error={own.error} />;
  if (own.data === undefined) return <Loading />;
  if (isOther)
    return (
      <p className="notice" role="status">
        {t.changed}{' '}
        <button type="button" onClick={refresh}>
          {t.reload}
        </button>
      </p>
    );
  const { text, base64, media_type: type, is_kept: isKept } = own.data;
  if (!isKept) return <p className="dim">{t.notKept}</p>;
  if (base64 !== null && type !== null) return <EvidenceImage base64={base64} type={type} path={path} />;
  if (text === null) return <p className="dim">{type === null ? t.notShown : t.tooLong}</p>;
  const old = version > 1 ? before.data?.text : undefined;
  const now = isUnchanged === false ? working.data?.text : undefined;
  const json = parsed(text);
  const whole = { id: 'text', title: t.text, view: () => <PlainText text={text} /> };
  const change =
    typeof old === 'string'
      ? [{ id: 'before', title: t.before(version - 1), view: () => <LazyDifference before={old} after={text} /> }]
      : [];
  // The gate's own file is a diff already. A diff of diffs is hard to read, so it comes second.
  const isPatch = path.startsWith('.sekisho/');
  const tabs: readonly Tab[] = [
    ...(isPatch ? [whole, ...change] : [...change, whole]),
    ...(json === undefined ? [] : [{ id: 'json', title: t.json, view: () => <JsonTree value={json} /> }]),
    ...(typeof now === 'string'
      ? [{ id: 'working', title: t.working, view: () => <LazyDifference before={text} after={now} /> }]
      : []),
  ];
  return <Tabs label={t.views} tabs={tabs} />;
}

function parsed(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}
