import { useEffect, useRef, useState } from 'react';
import type { Column } from './table.tsx';

/** The number of rows that are rendered and removed together. */
export const rowsOfPart = 100;
/** The distance from the visible area at which a part is rendered already. */
const ahead = '1200px 0px';
/** The assumed height of a row, until its part has been rendered once. */
const aRow = 42;

interface Props<R> {
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly idOf: (row: R) => string;
  /** Whether the part is out of sight at first, and so not rendered: a long list then appears at once. */
  readonly isFar: boolean;
}

/** A part of a long table. While it is far from the visible area, an empty row of its height replaces it. */
export function TableRows<R>({ columns, rows, idOf, isFar }: Props<R>) {
  const place = useRef<HTMLTableSectionElement>(null);
  const [height, setHeight] = useState(isFar ? rows.length * aRow : undefined);
  useEffect(() => {
    const { current } = place;
    if (current === null) return undefined;
    const observer = new IntersectionObserver(
      (entries) => {
        const last = entries.at(-1);
        if (last === undefined) return;
        // Keep a part that has the focus, for keyboard users.
        const stays = last.isIntersecting || current.contains(document.activeElement);
        setHeight(stays ? undefined : last.boundingClientRect.height);
      },
      { rootMargin: ahead },
    );
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  if (height !== undefined)
    return (
      <tbody ref={place}>
        <tr className="far">
          <td colSpan={columns.length} style={{ height }} />
        </tr>
      </tbody>
    );
  return (
    <tbody ref={place}>
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
  );
}
