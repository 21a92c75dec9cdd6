import type { ReactNode } from 'react';

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

/** Rows under their heads; on a narrow screen each row becomes a card with the heads in it. */
export function Table<R>({ label, columns, rows, idOf }: Props<R>) {
  return (
    <table className="table" aria-label={label}>
      <thead>
        <tr>
          {columns.map(({ id, title, numeric }) => (
            <th key={id} scope="col" className={numeric === true ? 'numeric' : undefined}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={idOf(row)}>
            {columns.map(({ id, title, numeric, cell }) => (
              <td key={id} data-title={title} className={numeric === true ? 'numeric' : undefined}>
                {cell(row)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
