import type { Output } from '../../api/operations.ts';
import { Badge } from '../../component/badge.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({ broken: { en: 'Broken', ja: '使用不可' } });

/** A definition that cannot be used, with its problems. */
export function BrokenFile({ file, problems }: Output<'state_gate.list_processes'>['broken'][number]) {
  const t = useTexts(texts);
  return (
    <article className="notice">
      <p className="meta">
        <Badge tone="bad">{t.broken}</Badge>
        <code>
          <Visible text={file} />
        </code>
      </p>
      <ul className="bare">
        {problems.map((one) => (
          <li key={one}>
            <Visible text={one} />
          </li>
        ))}
      </ul>
    </article>
  );
}
