import type { Output } from '../../api/operations.ts';
import { Badge } from '../../component/badge.tsx';
import { Time } from '../../component/time.tsx';
import { To } from '../../component/to.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  task: { en: 'Blocked task', ja: 'ブロック中のタスク' },
  handoff: { en: 'Hand-off', ja: '引き継ぎ' },
  agent: { en: 'Failed agent', ja: '失敗したエージェント' },
  upstream: { en: 'Disconnected upstream', ja: '切断中の上流サーバー' },
});

/** A matter that needs a person to continue. */
export function MatterCard({ matter }: { readonly matter: Output<'list_open_matters'>['matters'][number] }) {
  const t = useTexts(texts);
  const { kind, title, text, path, since } = matter;
  return (
    <article className="card">
      <div className="card-main">
        <p className="meta">
          <Badge tone="wait">{t[kind]}</Badge>
          <Time at={since} />
        </p>
        <h3>
          <To href={path} row>
            <Visible text={title} />
          </To>
        </h3>
        <p className="dim">
          <Visible text={text} />
        </p>
      </div>
    </article>
  );
}
