import type { Output } from '../../api/operations.ts';
import { AgentName } from '../../component/agent-name.tsx';
import { Badge } from '../../component/badge.tsx';
import { Time } from '../../component/time.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  nothing: { en: 'No hand-offs.', ja: '引き継ぎはありません。' },
  anyone: { en: 'anyone', ja: '誰でも' },
  pending: { en: 'pending', ja: '受け取り待ち' },
  accepted: { en: 'accepted', ja: '受け取り済み' },
  withdrawn: { en: 'withdrawn', ja: '取り下げ' },
  recommends: { en: 'Recommendations:', ja: '推奨:' },
});

export function Handoffs({ handoffs }: { readonly handoffs: Output<'describe_task'>['handoffs'] }) {
  const t = useTexts(texts);
  if (handoffs.length === 0) return <p className="dim">{t.nothing}</p>;
  return (
    <ul className="bare listed">
      {handoffs.map((one) => (
        <li key={one.handoff_id}>
          <p className="meta">
            <span>
              <AgentName id={one.from_agent_id} /> →{' '}
              {one.to_agent_id === null ? t.anyone : <AgentName id={one.to_agent_id} />}
            </span>
            <Badge tone={one.status === 'pending' ? 'wait' : 'plain'}>{t[one.status]}</Badge>
            <Time at={one.created_at} />
          </p>
          <p className="written">
            <Visible text={one.summary} />
          </p>
          {one.context !== null && (
            <p className="written dim">
              <Visible text={one.context} />
            </p>
          )}
          {one.recommendations !== null && (
            <p className="written">
              {t.recommends} <Visible text={one.recommendations} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
