import type { Output } from '../../api/operations.ts';
import { Badge } from '../../component/badge.tsx';
import { Copyable } from '../../component/copyable.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  about: {
    en: 'Checked just now. Off: not enabled. Broken: enabled but not working.',
    ja: '今確認した結果です。「オフ」は未設定、「異常」は設定済みなのに動いていない状態です。',
  },
  on: { en: 'On', ja: 'オン' },
  off: { en: 'Off', ja: 'オフ' },
  broken: { en: 'Broken', ja: '異常' },
  unknown: { en: 'Unknown', ja: '不明' },
  project: { en: 'Project', ja: 'プロジェクト' },
  store: { en: 'Store', ja: 'データベース' },
  program: { en: 'Program', ja: 'プログラム' },
  hooks: { en: 'Hooks', ja: 'フック' },
  server: { en: 'Server', ja: 'サーバー' },
  trust: { en: 'Trust', ja: '信頼' },
  receipts: { en: 'Receipts', ja: '問い合わせ' },
  sandbox: { en: 'Sandbox', ja: 'サンドボックス' },
});

const tones = { on: 'held', off: 'plain', broken: 'bad', unknown: 'wait' } as const;

/** The rings of the project and of each client. */
export function Rings({ rings }: { readonly rings: Output<'describe_project'>['rings'] }) {
  const t = useTexts(texts);
  return (
    <>
      <p className="dim">{t.about}</p>
      <ul className="bare rings">
        {rings.map(({ name, client, state, found, remedy }) => (
          <li key={`${name} ${client ?? ''}`}>
            <span className="meta">
              <Badge tone={tones[state]}>{t[state]}</Badge>
              <b className="ink">{Object.hasOwn(t, name) ? t[name as 'project'] : name}</b>
              {client !== null && <span>{client}</span>}
            </span>
            <p>
              <Visible text={found} />
            </p>
            {remedy !== null && state !== 'on' && <Copyable text={remedy} />}
          </li>
        ))}
      </ul>
    </>
  );
}
