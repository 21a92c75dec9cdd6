import { useEffect, useRef, useState } from 'react';
import type { Column } from './table.tsx';

/** Rows that come into the page and go out of it together. */
export const rowsOfPart = 100;
/** As far from what is seen, in pixels, a part is there already. */
const ahead = '1200px 0px';
/** Until it has been in the page nobody knows better. */
const aRow = 42;

interface Props<R> {
  readonly columns: readonly Column<R>[];
  readonly rows: readonly R[];
  readonly idOf: (row: R) => string;
  /** Out of sight at first: a long list is there at once all the same. */
  readonly isFar: boolean;
}

/** A part of a long table. While it is far from what is seen, one empty row of its height stands for it. */
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
        // Whoever goes by keys must not lose the row in focus.
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
