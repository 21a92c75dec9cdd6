import { usePreferences } from '../../app/preferences.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { formatDuration } from '../../../src/graph/duration.ts';
import { useNow } from '../now.ts';
import { Time } from '../time.tsx';
import { Visible } from '../visible.tsx';
import { type Lane, placed, spanOf } from './span.ts';

const texts = defineTexts({
  table: { en: 'As a table', ja: '表で見る' },
  lane: { en: 'Subject', ja: '対象' },
  what: { en: 'What', ja: '内容' },
  from: { en: 'Started', ja: '開始' },
  lasted: { en: 'Duration', ja: '所要時間' },
  goesOn: { en: 'ongoing', ja: '継続中' },
});

const laneHeight = 40;

interface Props {
  readonly label: string;
  readonly lanes: readonly Lane[];
}

/** Bars over time, one lane per subject, and the same data as a table. */
export function Timeline({ label, lanes }: Props) {
  const t = useTexts(texts);
  const { lang } = usePreferences();
  const now = useNow();
  const span = spanOf(lanes, now);
  const height = lanes.length * laneHeight + 24;
  const clock = new Intl.DateTimeFormat(lang, {
    ...(span.to - span.from > 86_400_000 && { month: 'numeric', day: 'numeric' }),
    hour: '2-digit',
    minute: '2-digit',
    ...(span.to - span.from < 600_000 && { second: '2-digit' }),
  });
  return (
    <div className="timeline">
      <svg width="100%" height={height} role="img" aria-label={label}>
        {[0, 50, 100].map((at) => (
          <g key={at}>
            <line className="grid" x1={`${at}%`} x2={`${at}%`} y1="0" y2={height - 18} />
            <text className={`hour at${at}`} x={`${at}%`} y={height - 4}>
              {clock.format(span.from + ((span.to - span.from) * at) / 100)}
            </text>
          </g>
        ))}
        {lanes.map((lane, index) => (
          <g key={lane.id}>
            <text className="lane" x="2" y={index * laneHeight + 14}>
              {lane.title}
            </text>
            {lane.bars.map((bar) => {
              const { x, width } = placed(bar, span, now);
              return (
                <g key={`${bar.text} ${bar.from}`} className={`bar ${bar.tone}`}>
                  <rect x={`${x}%`} y={index * laneHeight + 20} width={`${width}%`} height="14" rx="3">
                    <title>{bar.text}</title>
                  </rect>
                </g>
              );
            })}
          </g>
        ))}
      </svg>
      <details className="process-table">
        <summary>{t.table}</summary>
        <table className="table" aria-label={label}>
          <thead>
            <tr>
              <th scope="col">{t.lane}</th>
              <th scope="col">{t.what}</th>
              <th scope="col">{t.from}</th>
              <th scope="col">{t.lasted}</th>
            </tr>
          </thead>
          <tbody>
            {lanes.flatMap((lane) =>
              lane.bars.map((bar) => (
                <tr key={`${lane.id} ${bar.text} ${bar.from}`}>
                  <td data-title={t.lane}>
                    <Visible text={lane.title} />
                  </td>
                  <td data-title={t.what}>{bar.text}</td>
                  <td data-title={t.from}>
                    <Time at={new Date(bar.from).toISOString()} />
                  </td>
                  <td data-title={t.lasted}>
                    {formatDuration((bar.to ?? Math.max(now, bar.from)) - bar.from, lang)}
                    {bar.to === null && ` (${t.goesOn})`}
                  </td>
                </tr>
              )),
            )}
          </tbody>
        </table>
      </details>
    </div>
  );
}
