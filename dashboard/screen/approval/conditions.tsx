import type { Output } from '../../api/operations.ts';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { approvalNeeds } from './approval-needs.ts';

const texts = defineTexts({
  met: { en: 'met', ja: '達成' },
  missing: { en: 'missing', ja: '未達' },
  pending: { en: 'at the decision', ja: '決定時に確認' },
  waiting: { en: 'waiting', ja: '承認待ち' },
  yours: { en: 'Waiting for your approval.', ja: 'あなたの承認待ちです。' },
  'yours-and-others': {
    en: 'Waiting for your approval, and for that of at least one more person.',
    ja: 'あなたと、ほかの人の承認待ちです。',
  },
  none: { en: 'No conditions.', ja: '条件はありません。' },
  approvals: { en: 'Approvals so far', ja: 'これまでの承認' },
  noApprovals: { en: 'No one has approved this evidence yet.', ja: 'この証拠はまだ誰も承認していません。' },
});

/** The conditions of each transition out of the state, and whether they are met. */
export function Conditions({ run }: { readonly run: Output<'describe_run'> }) {
  const t = useTexts(texts);
  const needs = approvalNeeds(run);
  return (
    <div className="conditions">
      {run.ways.map(({ event, to, guards }) => (
        <div key={`${event} ${to} ${guards.map((one) => one.name).join(' ')}`}>
          <h3>
            {event} <span className="dim">→ {to}</span>
          </h3>
          <ul className="bare">
            {guards.length === 0 && <li className="dim">{t.none}</li>}
            {guards.map((guard) => {
              const { name, is_satisfied: isMet, is_pending: isPending } = guard;
              const need = needs.get(name);
              const reason = need === undefined ? guard.reason : t[need];
              const isOpen = isPending || need !== undefined;
              return (
                <li key={name} className={isMet ? 'held' : isOpen ? 'dim' : 'bad'}>
                  <span aria-hidden="true">{isMet ? '✓' : isOpen ? '…' : '✗'}</span>{' '}
                  <b>
                    <Visible text={name} />
                  </b>{' '}
                  <span className="condition-state">
                    {isMet ? t.met : isPending ? t.pending : need === undefined ? t.missing : t.waiting}
                  </span>
                  {!isMet && reason !== '' && (
                    <p>
                      <Visible text={reason} />
                    </p>
                  )}
                </li>
              );
            })}
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
