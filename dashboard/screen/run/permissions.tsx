import type { Output } from '../../api/operations.ts';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  none: { en: 'No tool restrictions in this state.', ja: 'この状態ではツールを制限していません。' },
  allowed: { en: 'Only these are allowed', ja: 'これだけ許可' },
  denied: { en: 'Denied', ja: '禁止' },
  ask: { en: 'Needs confirmation', ja: '確認が必要' },
});

/** The tools that agents may use in this state. */
export function Permissions({ permissions }: { readonly permissions: Output<'describe_run'>['tool_permissions'] }) {
  const t = useTexts(texts);
  const lists = (['allowed', 'denied', 'ask'] as const).filter((one) => (permissions?.[one].length ?? 0) > 0);
  if (permissions === null || lists.length === 0) return <p className="dim">{t.none}</p>;
  return (
    <dl className="facts">
      {lists.map((one) => (
        <div key={one}>
          <dt>{t[one]}</dt>
          <dd className="chips">
            {permissions[one].map((tool) => (
              <code key={tool}>
                <Visible text={tool} />
              </code>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  );
}
