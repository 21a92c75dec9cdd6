import type { ReactNode } from 'react';
import { rowsOfPart, TableRows } from './table-rows.tsx';

export interface Column<R> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: R) => ReactNode;
  /** Whether the column has numbers, which are aligned. */
  readonly numeric?: boolean;
}

interface Props<R> {
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly idOf: (row: R) => string;
}

/** A table. On narrow screens each row becomes a card with the headings in it. Of a long table only the part near the visible area is rendered. */
export function Table<R>({ label, columns, rows, idOf }: Props<R>) {
  const parts = Array.from({ length: Math.ceil(rows.length / rowsOfPart) }, (_, index) =>
    rows.slice(index * rowsOfPart, (index + 1) * rowsOfPart),
  );
  return (
    <table className="table" aria-label={label} aria-rowcount={rows.length + 1}>
      <thead>
        <tr>
          {columns.map(({ id, title, numeric }) => (
            <th key={id} scope="col" className={numeric === true ? 'numeric' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      {parts.map((part, index) => (
        <TableRows key={index} columns={columns} rows={part} idOf={idOf} isFar={index > 0} />
      ))}
    </table>
  );
}
