import type { Row, Value } from '../../../kernel/store/store.ts';

const BOOL = 16;
const numbers = new Set([20, 21, 23, 26, 700, 701, 1700]);

/** Parsers that make rows look as on SQLite: numbers (also `count(*)`, `sum`) as numbers, booleans as 0 or 1, all else as text. */
export const types = {
  getTypeParser: (type: number) => (numbers.has(type) ? toNumber : type === BOOL ? toBit : toText),
};

function toNumber(text: string): Value {
  const value = Number(text);
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw new RangeError(`${text} is too large for a number`);
  return value;
}

const toBit = (text: string): Value => (text === 't' ? 1 : 0);
const toText = (text: string): Value => text;

/** Parses rows that the server returned as JSON to the same types. */
export function rowsOf(json: Value | undefined): readonly Row[] {
  if (typeof json !== 'string') return [];
  return (JSON.parse(json) as Record<string, Value | boolean>[]).map((row) => {
    for (const [name, value] of Object.entries(row)) {
      if (typeof value === 'boolean') row[name] = value ? 1 : 0;
      else if (typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value))
        throw new RangeError(`${value} is too large for a number`);
    }
    return row as Row;
  });
}
