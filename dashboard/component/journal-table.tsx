import type { Output } from '../api/operations.ts';
import { defineTexts, useTexts } from '../text/text.ts';
import { Actor } from './actor.tsx';
import { Fold } from './fold.tsx';
import { JsonTree } from './json-tree.tsx';
import { type Column, Table } from './table.tsx';
import { Time } from './time.tsx';
import { To } from './to.tsx';
import { Visible } from './visible.tsx';

const texts = defineTexts({
  seq: { en: 'No.', ja: '番号' },
  at: { en: 'When', ja: '日時' },
  actor: { en: 'Who', ja: '操作者' },
  kind: { en: 'What', ja: '種類' },
  subject: { en: 'About', ja: '対象' },
  data: { en: 'Data', ja: 'データ' },
  show: { en: 'Show', ja: '表示' },
});

type Row = Output<'list_journal'>['entries'][number];

interface Props {
  readonly label: string;
  readonly rows: readonly Row[];
  /** Shows the subject; not needed if all rows have the same one. */
  readonly withSubject?: boolean;
}

/** Journal entries, with their data on demand. */
export function JournalTable({ label, rows, withSubject = false }: Props) {
  const t = useTexts(texts);
  const subject: Column<Row> = { id: 'subject', title: t.subject, cell: (row) => <Subject name={row.subject} /> };
  const columns: readonly Column<Row>[] = [
    { id: 'seq', title: t.seq, numeric: true, cell: (row) => row.seq },
    { id: 'at', title: t.at, cell: (row) => <Time at={row.at} /> },
    { id: 'kind', title: t.kind, cell: (row) => <b className="kind">{row.kind}</b> },
    ...(withSubject ? [subject] : []),
    { id: 'actor', title: t.actor, cell: (row) => <Actor name={row.actor} /> },
    { id: 'data', title: t.data, cell: (row) => <Fold title={t.show}>{() => <JsonTree value={row.data} />}</Fold> },
  ];
  return <Table label={label} columns={columns} rows={rows} idOf={(row) => String(row.seq)} />;
}

/** The subject, as a link if it has a screen. */
function Subject({ name }: { readonly name: string }) {
  const path = addressOfSubject(name);
  const shown = (
    <code>
      <Visible text={name} />
    </code>
  );
  return path === undefined ? (
    shown
  ) : (
    <To href={path} row>
      {shown}
    </To>
  );
}

function addressOfSubject(name: string): string | undefined {
  if (name.startsWith('run-')) return `/runs/${name}`;
  if (name.startsWith('prompt:')) return `/prompt-library/${encodeURIComponent(name.slice('prompt:'.length))}`;
  return undefined;
}
