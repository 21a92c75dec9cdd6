import { kinds, useOperation } from '../../api/queries.ts';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';

const texts = defineTexts({
  none: {
    en: 'Not known yet. “Check” connects to the server and reads its tools.',
    ja: '未取得です。「確認」で接続して取得します。',
  },
  leftOut: { en: 'Left out', ja: '除外されたもの' },
});

interface Props {
  readonly upstream: string;
  readonly leftOut: readonly { readonly name: string; readonly reason: string }[];
}

/** The tools of an upstream, and those that are not passed on. */
export function UpstreamTools({ upstream, leftOut }: Props) {
  const t = useTexts(texts);
  const { data, error } = useOperation('list_upstream_tools', { upstream }, kinds('upstream.'));
  if (error !== null) return <Failure error={error} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      {data.tools.length === 0 && <p className="dim">{t.none}</p>}
      <Names rows={data.tools.map(({ name, description }) => [name, description])} />
      {leftOut.length > 0 && (
        <>
          <h3 className="group">{t.leftOut}</h3>
          <Names rows={leftOut.map(({ name, reason }) => [name, reason])} />
        </>
      )}
    </>
  );
}

function Names({ rows }: { readonly rows: readonly (readonly [string, string])[] }) {
  return (
    <ul className="bare tools">
      {rows.map(([name, about]) => (
        <li key={name}>
          <code>
            <Visible text={name} />
          </code>
          {about !== '' && (
            <p className="dim">
              <Visible text={about} />
            </p>
          )}
        </li>
      ))}
    </ul>
  );
}
