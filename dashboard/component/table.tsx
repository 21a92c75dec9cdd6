import type { ReactNode } from 'react';
import { rowsOfPart, TableRows } from './table-rows.tsx';

export interface Column<R> {
  readonly id: string;
  readonly title: string;
  readonly cell: (row: R) => ReactNode;
  /** Figures stand under each other. */
  readonly numeric?: boolean;
}

interface Props<R> {
  readonly label: string;
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly idOf: (row: R) => string;
}

/** Rows under their heads; on a narrow screen each row becomes a card with the heads in it. Of long ones only what is near is in the page. */
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
