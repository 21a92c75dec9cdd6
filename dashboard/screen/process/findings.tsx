import type { Output } from '../../api/operations.ts';
import { Badge } from '../../component/badge.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  none: { en: 'No problems found.', ja: '問題は見つかりませんでした。' },
  error: { en: 'Error', ja: 'エラー' },
  warning: { en: 'Warning', ja: '警告' },
});

/** The findings of `sekisho gate lint` for the file, with line and column. */
export function Findings({ findings }: { readonly findings: Output<'describe_process'>['findings'] }) {
  const t = useTexts(texts);
  if (findings.length === 0) return <p className="held">✓ {t.none}</p>;
  return (
    <ul className="conditions bare">
      {findings.map((one) => (
        <li key={`${one.line}:${one.column} ${one.code} ${one.message}`}>
          <span className="meta">
            <Badge tone={one.severity === 'error' ? 'bad' : 'wait'}>{t[one.severity]}</Badge>
            <code>
              {one.line}:{one.column}
            </code>
            <code>{one.code}</code>
          </span>
          <p>
            <Visible text={one.message} />
          </p>
          <p className="dim">
            <Visible text={one.remedy} />
          </p>
        </li>
      ))}
    </ul>
  );
}
