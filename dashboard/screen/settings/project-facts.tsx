import { kinds, useOperation, useUserCall } from '../../api/queries.ts';
import { Failure } from '../../component/failure.tsx';
import { Loading } from '../../component/loading.tsx';
import { Panel } from '../../component/panel.tsx';
import { ShortId } from '../../component/short-id.tsx';
import { TrustBadge } from '../../component/trust-badge.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { Rings } from './rings.tsx';

const texts = defineTexts({
  project: { en: 'This project', ja: 'このプロジェクト' },
  folder: { en: 'Folder', ja: 'フォルダー' },
  database: { en: 'Database', ja: 'データベース' },
  version: { en: 'Version', ja: 'バージョン' },
  configuration: { en: 'Configuration', ja: '設定ファイル' },
  rings: { en: 'Rings', ja: 'リング' },
  trust: { en: 'Reviewed files', ja: '人が確認したファイル' },
  none: {
    en: 'None yet. A file of the project takes effect once a person has reviewed it.',
    ja: 'まだありません。プロジェクトのファイルは、人が確認すると有効になります。',
  },
});

/** The project's folder and database, its rings, and its trusted files. */
export function ProjectFacts() {
  const t = useTexts(texts);
  const { data, error, refetch } = useOperation('describe_project', {}, kinds('file.'));
  const session = useUserCall('get_session');
  if (error !== null) return <Failure error={error} retry={() => void refetch()} />;
  if (data === undefined) return <Loading />;
  return (
    <>
      <Panel title={t.project}>
        <dl className="facts">
          <div>
            <dt>{t.folder}</dt>
            <dd className="path">
              <Visible text={data.root} />
            </dd>
          </div>
          <div>
            <dt>{t.database}</dt>
            <dd className="path">{data.database}</dd>
          </div>
          <div>
            <dt>{t.version}</dt>
            <dd>{session.data?.version ?? '…'}</dd>
          </div>
          <div>
            <dt>{t.configuration}</dt>
            <dd>
              <TrustBadge trust={data.configuration} />
            </dd>
          </div>
        </dl>
      </Panel>
      <Panel title={t.rings}>
        <Rings rings={data.rings} />
      </Panel>
      <Panel title={t.trust}>
        {data.trusted_files.length === 0 && <p className="dim">{t.none}</p>}
        <ul className="bare entries">
          {data.trusted_files.map(({ file, digest }) => (
            <li key={file}>
              <code>
                <Visible text={file} />
              </code>
              <ShortId id={digest} />
            </li>
          ))}
        </ul>
      </Panel>
    </>
  );
}
