import stringWidth from 'string-width';
import type { JsonObject } from '../../base/json-object.ts';
import { briefValue, isEmpty, idsIn } from './cell.ts';
import { fitTo, pad, wrap } from './fit.ts';
import type { Screen } from './screen.ts';
import { style } from './style.ts';

const gap = 2;
/** A column that has less shows nothing of use. */
const leastColumn = 8;
/** So much of a long text is enough to know it by. */
const readable = 20;
/** By its first column a row is known. */
const wholeName = 28;

interface Grid {
  readonly columns: readonly string[];
  readonly cells: readonly (readonly string[])[];
  /** What must not be cut: half an id is of no use to anybody. */
  readonly fixed: readonly boolean[];
}

/** Narrower, a row is better read as a block than by its first columns alone. */
const narrow = 60;
const leastColumns = 3;
const digest = /^[0-9a-f]{64}$/;
/** The names of columns with something that the next command needs. */
const idName = /^(?:id|agent|role)$|_id$|[a-z]Id$/;

/** Rows in columns that fit. Else nested values go first, then the last columns; a narrow screen shows blocks. */
export function renderTable(rows: readonly JsonObject[], screen: Screen): readonly string[] {
  const gridOf = (columns: readonly string[]): Grid => {
    const cells = rows.map((row) => columns.map((column) => briefValue(row[column], screen).replaceAll(/\s+/g, ' ')));
    const fixed = columns.map(
      (column, index) =>
        idName.test(column) ||
        rows.some((row) => idsIn(row[column]).length > 0) ||
        (index === 0 && cells.every(([first = '']) => stringWidth(first) <= wholeName)),
    );
    return { columns, cells, fixed };
  };
  const filled = [...new Set(rows.flatMap((row) => Object.keys(row)))].filter((column) =>
    rows.some((row) => !isEmpty(row[column])),
  );
  const whole = layOut(gridOf(filled), screen.width);
  if (whole !== undefined) return whole;
  if (screen.width < narrow) return blocks(gridOf(filled), screen.width);
  const flat = filled.filter(
    (column) => !rows.some((row) => isNested(row[column]) || digest.test(String(row[column]))),
  );
  for (let count = flat.length; count >= leastColumns; count -= 1) {
    const some = layOut(gridOf(flat.slice(0, count)), screen.width);
    if (some !== undefined) return some;
  }
  return blocks(gridOf(filled), screen.width);
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

/** Undefined where that would leave too little to read: half of each column must be seen. */
function layOut({ columns, cells, fixed }: Grid, width: number): readonly string[] | undefined {
  const natural = columns.map((column, index) =>
    Math.max(stringWidth(column), ...cells.map((row) => stringWidth(row[index] ?? ''))),
  );
  const widths = shrink(natural, fixed, width - gap * (columns.length - 1));
  if (widths?.every((one, index) => one >= Math.min(readable, (natural[index] ?? 0) / 2)) !== true) return undefined;
  const line = (row: readonly string[]) =>
    row
      .map((cell, index) => fitTo(cell, widths[index] ?? 0))
      .join(' '.repeat(gap))
      .trimEnd();
  return [style.dim(line(columns)), ...cells.map(line)];
}

/** The widest give way first. */
function shrink(natural: readonly number[], fixed: readonly boolean[], room: number): readonly number[] | undefined {
  const widths = [...natural];
  let over = widths.reduce((sum, width) => sum + width, 0) - room;
  while (over > 0) {
    const yielding = widths.filter((_, index) => fixed[index] !== true);
    const widest = Math.max(0, ...yielding);
    if (widest <= leastColumn) return undefined;
    const next = Math.max(leastColumn, ...yielding.filter((width) => width < widest));
    const alike = yielding.filter((width) => width === widest).length;
    const step = Math.min(widest - next, Math.ceil(over / alike));
    for (const [index, width] of widths.entries()) {
      if (width !== widest || fixed[index] === true || over <= 0) continue;
      const less = Math.min(step, over);
      widths[index] = width - less;
      over -= less;
    }
  }
  return widths;
}

function blocks({ columns, cells }: Grid, width: number): readonly string[] {
  return cells.flatMap((row, index) => [...(index === 0 ? [] : ['']), ...block(columns, row, width)]);
}

function block(columns: readonly string[], row: readonly string[], width: number): readonly string[] {
  const shown = columns.map((column, at) => [column, row[at] ?? ''] as const).filter(([, cell]) => cell !== '');
  const names = Math.max(0, ...shown.map(([column]) => stringWidth(column)));
  const room = Math.max(1, width - names - gap);
  return shown.flatMap(([column, cell]) =>
    wrap(cell, room).map(
      (part, at) => `${at === 0 ? style.dim(pad(column, names)) : ' '.repeat(names)}${' '.repeat(gap)}${part}`,
    ),
  );
}
