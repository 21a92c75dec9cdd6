import type { Output } from '../../api/operations.ts';
import { Actor } from '../../component/actor.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { Time } from '../../component/time.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { Labels } from './labels.tsx';

const texts = defineTexts({
  version: { en: (version: number) => `Version ${version}`, ja: (version) => `バージョン ${version}` },
  show: { en: 'Show', ja: '表示' },
  label: { en: 'Label…', ja: 'ラベル…' },
  shown: { en: 'shown', ja: '表示中' },
});

interface Props {
  readonly versions: Output<'list_prompt_versions'>['versions'];
  readonly labels: Readonly<Record<string, number>>;
  readonly shown: number;
  readonly onShow: (version: number) => void;
  readonly onLabel: (version: number) => void;
}

/** The versions of a prompt with author and time, newest first. */
export function Versions({ versions, labels, shown, onShow, onLabel }: Props) {
  const t = useTexts(texts);
  return (
    <ol className="history">
      {versions.map(({ version, note, actor, at, digest }) => (
        <li key={version}>
          <p className="meta">
            <b className="ink">{t.version(version)}</b>
            <Labels labels={labels} version={version} />
          </p>
          {note !== null && (
            <p>
              <Visible text={note} />
            </p>
          )}
          <p className="meta">
            <Actor name={actor} />
            <Time at={at} />
            <ShortId id={digest} length={8} />
          </p>
          <p className="meta">
            {version === shown ? (
              <span>{t.shown}</span>
            ) : (
              <button type="button" className="quiet" onClick={() => onShow(version)}>
                {t.show} <span className="unseen">{t.version(version)}</span>
              </button>
            )}
            <button type="button" className="quiet" onClick={() => onLabel(version)}>
              {t.label} <span className="unseen">{t.version(version)}</span>
            </button>
          </p>
        </li>
      ))}
    </ol>
  );
}
