import { usePreferences } from '../../app/preferences.ts';
import { defineTexts, useTexts } from '../../text/text.ts';
import { formatDuration } from '../../../src/graph/duration.ts';
import type { Process } from '../../../src/graph/layout.ts';
import { type Progress, markOf } from '../../../src/graph/progress.ts';

const texts = defineTexts({
  title: { en: 'As a table', ja: '表で見る' },
  state: { en: 'State', ja: '状態' },
  spent: { en: 'Time spent', ja: '滞在時間' },
  ways: { en: 'Transitions', ja: '次の遷移' },
  here: { en: 'here', ja: '現在地' },
  final: { en: 'final', ja: '終了' },
  met: { en: 'met', ja: '達成' },
  missing: { en: 'missing', ja: '未達' },
  pending: { en: 'checked at the decision', ja: '決定時に確認' },
  unknown: { en: 'not checked yet', ja: '未確認' },
});

interface Props {
  readonly process: Process;
  readonly progress: Progress | undefined;
  readonly spent: ReadonlyMap<string, number> | undefined;
}

/** The graph as a table, for screen readers. */
export function ProcessTable({ process, progress, spent }: Props) {
  const t = useTexts(texts);
  const { lang } = usePreferences();
  return (
    <details className="process-table">
      <summary>{t.title}</summary>
      <table className="table">
        <thead>
          <tr>
            <th scope="col">{t.state}</th>
            {progress !== undefined && <th scope="col">{t.spent}</th>}
            <th scope="col">{t.ways}</th>
          </tr>
        </thead>
        <tbody>
          {process.states.map(({ name, is_final: isFinal }) => {
            const ms = spent?.get(name);
            return (
              <tr key={name}>
                <td data-title={t.state}>
                  {name}
                  {name === progress?.current && ` (${t.here})`}
                  {isFinal && ` (${t.final})`}
                </td>
                {progress !== undefined && (
                  <td data-title={t.spent}>{ms === undefined ? '–' : formatDuration(ms, lang)}</td>
                )}
                <td data-title={t.ways}>
                  <ul className="bare">
                    {process.transitions
                      .filter((one) => one.from === name)
                      .map(({ from, event, to, guards }) => (
                        <li key={`${event} ${to} ${guards.map((guard) => guard.name).join(' ')}`}>
                          {event} → {to}
                          {guards.map((guard) => {
                            const mark =
                              progress === undefined ? 'unknown' : markOf(progress, from, event, to, guard.name);
                            return (
                              <span key={guard.name} className="dim">
                                {' '}
                                [{guard.name}
                                {progress === undefined ? '' : `: ${t[mark]}`}]
                              </span>
                            );
                          })}
                        </li>
                      ))}
                  </ul>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </details>
  );
}
