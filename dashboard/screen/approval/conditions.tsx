import type { Output } from '../../api/operations.ts';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  met: { en: 'met', ja: '達成' },
  missing: { en: 'missing', ja: '未達' },
  pending: { en: 'at the decision', ja: '決定時に確認' },
  none: { en: 'It asks for nothing.', ja: '条件はありません。' },
  approvals: { en: 'Approvals so far', ja: 'これまでの承認' },
  noApprovals: { en: 'Nobody has approved this evidence yet.', ja: 'この証拠はまだ誰も承認していません。' },
});

/** The conditions of each transition out of the state, and whether they are met. */
export function Conditions({ run }: { readonly run: Output<'describe_run'> }) {
  const t = useTexts(texts);
  return (
    <div className="conditions">
      {run.ways.map(({ event, to, guards }) => (
        <div key={`${event} ${to} ${guards.map((one) => one.name).join(' ')}`}>
          <h3>
            {event} <span className="dim">→ {to}</span>
          </h3>
          <ul className="bare">
            {guards.length === 0 && <li className="dim">{t.none}</li>}
            {guards.map(({ name, is_satisfied: isMet, is_pending: isPending, reason }) => (
              <li key={name} className={isMet ? 'held' : isPending ? 'dim' : 'bad'}>
                <span aria-hidden="true">{isMet ? '✓' : isPending ? '…' : '✗'}</span>{' '}
                <b>
                  <Visible text={name} />
                </b>{' '}
                <span className="condition-state">{isMet ? t.met : isPending ? t.pending : t.missing}</span>
                {!isMet && reason !== '' && (
                  <p>
                    <Visible text={reason} />
                  </p>
                )}
              </li>
            ))}
          </ul>
        </div>
      ))}
      <h3>{t.approvals}</h3>
      {run.approvals.length === 0 ? (
        <p className="dim">{t.noApprovals}</p>
      ) : (
        <ul className="bare">
          {run.approvals.map(({ actor, role }) => (
            <li key={actor} className="held">
              <span aria-hidden="true">✓</span> {actor} <span className="dim">({role})</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
