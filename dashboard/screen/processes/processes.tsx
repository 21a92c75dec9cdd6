import { usePages } from '../../api/pages.ts';
import type { Output } from '../../api/operations.ts';
import { kinds, useOperation } from '../../api/queries.ts';
import { Failure } from '../../component/failure.tsx';
import { Head } from '../../component/head.tsx';
import { Loading } from '../../component/loading.tsx';
import { More } from '../../component/more.tsx';
import { type Column, Table } from '../../component/table.tsx';
import { To } from '../../component/to.tsx';
import { TrustBadge } from '../../component/trust-badge.tsx';
import { Visible } from '../../component/visible.tsx';
import { defineTexts, useTexts } from '../../text/text.ts';
import { BrokenFile } from './broken-file.tsx';

const texts = defineTexts({
  title: { en: 'Processes', ja: 'プロセス' },
  about: {
    en: 'Runs follow these processes. Your own are files in .sekisho/processes. They take effect once a person trusts them.',
    ja: 'run が従うプロセスです。独自のプロセスは .sekisho/processes のファイルで、人が信頼すると有効になります。',
  },
  process: { en: 'Process', ja: 'プロセス' },
  description: { en: 'Purpose', ja: '用途' },
  trust: { en: 'Trust', ja: '信頼' },
  version: { en: 'Version', ja: 'バージョン' },
  states: { en: 'States', ja: '状態の数' },
  source: { en: 'File', ja: 'ファイル' },
  shipped: { en: 'comes with Sekisho', ja: 'Sekisho に付属' },
  broken: { en: 'Broken files', ja: '壊れているファイル' },
});

type Process = Output<'state_gate.list_processes'>['processes'][number];

export default function Processes() {
  const t = useTexts(texts);
  const stale = kinds('file.', 'run.created');
  const pages = usePages('state_gate.list_processes', { limit: 50 }, stale, (answer) => answer.processes);
  const { data } = useOperation('state_gate.list_processes', { limit: 1 }, stale);
  const broken = data?.broken ?? [];
  const columns: readonly Column<Process>[] = [
    {
      id: 'process',
      title: t.process,
      cell: (one) => (
        <To href={`/processes/${encodeURIComponent(one.process_id)}`} row>
          <Visible text={one.process_id} />
        </To>
      ),
    },
    { id: 'description', title: t.description, cell: (one) => <Visible text={one.description || one.name} /> },
    { id: 'trust', title: t.trust, cell: (one) => <TrustBadge trust={one.trust} /> },
    { id: 'version', title: t.version, cell: (one) => one.version },
    { id: 'states', title: t.states, numeric: true, cell: (one) => one.states.length },
    {
      id: 'source',
      title: t.source,
      cell: (one) => (
        one.source.startsWith('shipped:') ? (
          <span className="dim">{t.shipped}</span>
        ) : (
          <code className="dim path">
            <Visible text={one.source} />
          </code>
        )
      ),
    },
  ];
  return (
    <>
      <Head title={t.title} about={t.about} />
      {pages.error !== null && <Failure error={pages.error} retry={pages.retry} />}
      {pages.rows === undefined && pages.error === null && <Loading />}
      {broken.length > 0 && (
        <section aria-labelledby="broken-files">
          <h2 id="broken-files" className="group">
            {t.broken}
          </h2>
          <ul className="cards">
            {broken.map((one) => (
              <li key={one.file}>
                <BrokenFile {...one} />
              </li>
            ))}
          </ul>
        </section>
      )}
      {pages.rows !== undefined && (
        <Table label={t.title} columns={columns} rows={pages.rows} idOf={(one) => one.process_id} />
      )}
      <More onMore={pages.more} isLoading={pages.isLoading} />
    </>
  );
}
