import { useState } from 'react';
import { defineTexts, useTexts } from '../../text/text.ts';
import { Actor } from '../actor.tsx';
import { Badge } from '../badge.tsx';
import { ShortId } from '../short-id.tsx';
import { sizeText } from '../size.ts';
import { Time } from '../time.tsx';
import { Visible } from '../visible.tsx';
import { EvidenceContent } from './evidence-content.tsx';
import type { Artifact, Reading } from './reading.ts';

const texts = defineTexts({
  unchanged: { en: 'Unchanged since it was submitted', ja: '提出後の変更なし' },
  changed: {
    en: 'The working copy has changed since. You decide about the submitted version.',
    ja: '作業コピーは提出後に変更されています。判断の対象は提出された内容です。',
  },
  current: {
    en: 'Current content: the gate read it when this page was loaded',
    ja: '現在の内容 (このページの読み込み時にゲートが取得)',
  },
  notCompared: { en: 'Not compared with the working copy', ja: '作業コピーとは比較していません' },
  version: { en: (version: number) => `version ${version}`, ja: (version) => `バージョン ${version}` },
  found: { en: 'found by the gate', ja: 'ゲートが検出' },
  unread: { en: 'not opened yet', ja: '未確認' },
  unshown: { en: 'Not shown:', ja: '表示できません:' },
  accept: { en: 'I approve this file by its digest, without seeing it', ja: '内容を見ずに、ダイジェストで承認します' },
  show: { en: 'Show', ja: '表示' },
  hide: { en: 'Hide', ja: '隠す' },
});

interface Props {
  readonly runId: string;
  readonly artifact: Artifact;
  readonly open: boolean;
  /** Given if a person must see the file before they decide. */
  readonly reading?: Reading;
}

/** One submitted file: its submitter, whether it has changed since, and its content. */
export function Evidence({ runId, artifact, open, reading }: Props) {
  const t = useTexts(texts);
  const [isOpen, setOpen] = useState(open);
  const { path, type, version, size, digest, actor, at, is_unchanged: isUnchanged } = artifact;
  const mark = reading?.markOf(artifact);
  return (
    <article className="evidence">
      <header>
        <h3>
          <Visible text={path} />
        </h3>
        <button type="button" className="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t.hide : t.show}
        </button>
      </header>
      <p className="meta">
        {reading !== undefined && mark === undefined && !isOpen && <Badge tone="wait">{t.unread}</Badge>}
        {type !== null && <span>{type}</span>}
        <span>{at === null ? t.found : t.version(version)}</span>
        <span>{sizeText(size)}</span>
        <ShortId id={digest} />
        <Actor name={actor} />
        {at !== null && <Time at={at} />}
      </p>
      {isUnchanged === null ? (
        <p className="dim">{t.notCompared}</p>
      ) : (
        <p className={isUnchanged ? 'held' : 'bad'}>
          <span aria-hidden="true">{isUnchanged ? '✓' : '✗'}</span>{' '}
          {isUnchanged ? (at === null ? t.current : t.unchanged) : t.changed}
        </p>
      )}
      {isOpen && <EvidenceContent runId={runId} artifact={artifact} note={reading?.note} />}
      {reading !== undefined && (mark === 'unshown' || mark === 'accepted') && (
        <label className="check">
          <input
            type="checkbox"
            checked={mark === 'accepted'}
            onChange={(event) => reading.accept(artifact, event.target.checked)}
          />
          <span>
            <b>{t.unshown}</b> <Visible text={path} /> ({t.accept})
          </span>
        </label>
      )}
    </article>
  );
}
