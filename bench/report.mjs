import { cpus, loadavg, release, totalmem } from 'node:os';
import { isNoisy } from './statistics.mjs';

/** Adds to a row its ratio to the floor, whether it met its bar and whether its floor was noisy. */
export function judge(row) {
  const { bar, floor } = row;
  const ratio = row.ratio ?? (floor === undefined ? undefined : row.p50 / floor.p50);
  return {
    ...row,
    ...(ratio !== undefined && { ratio }),
    ...(bar !== undefined && { passed: passes(bar, { ...row, ratio }) }),
    // On a busy machine the quietest quarter of both says more than the median.
    ...(isNoisy(floor) && { noisy: true, quietRatio: row.p25 / floor.p25 }),
  };
}

function passes(bar, row) {
  if ('count' in bar) return bar.count <= bar.limit;
  const [[what, limit]] = Object.entries(bar);
  return row[what] <= limit;
}

const headings = ['', 'measurement', 'p50 ms', 'p99 ms', 'n', 'floor', 'p50 ms', 'ratio', 'bar', 'note'];
const right = [2, 3, 4, 6, 7];

export function renderTable(rows) {
  const cells = rows.map(cellsOf);
  const widths = headings.map((heading, column) => Math.max(heading.length, ...cells.map((row) => row[column].length)));
  const line = (row) =>
    row
      .map((cell, column) => (right.includes(column) ? cell.padStart(widths[column]) : cell.padEnd(widths[column])))
      .join('  ')
      .trimEnd();
  return [line(headings), line(widths.map((width) => '─'.repeat(Math.min(width, 40)))), ...cells.map(line)].join('\n');
}

function cellsOf(row) {
  const { what, floor, bar } = row;
  const notes = [row.note, row.noisy && noise(row)];
  return [
    row.passed === undefined ? ' ' : row.passed ? '✓' : '✗',
    what,
    number(row.p50),
    number(row.p99),
    row.n === undefined ? '' : String(row.n),
    floor?.name ?? '',
    number(floor?.p50),
    row.ratio === undefined ? '' : `${row.ratio.toFixed(2)} ×`,
    barText(bar),
    notes.filter(Boolean).join('; '),
  ];
}

function noise({ floor, quietRatio }) {
  return `noisy floor (p90/p50 ${(floor.p90 / floor.p50).toFixed(1)}), ratio at p25 ${quietRatio.toFixed(2)} ×`;
}

function barText(bar) {
  if (bar === undefined) return '';
  if ('count' in bar) return `${bar.limit} bad`;
  const [[what, limit]] = Object.entries(bar);
  return what === 'ratio' ? `≤ ${limit} ×` : `${what} ≤ ${limit} ms`;
}

function number(value) {
  if (value === undefined) return '';
  return value >= 10 ? value.toFixed(1) : value.toFixed(value >= 1 ? 2 : 3);
}

export function machine() {
  const { model } = cpus()[0];
  return {
    cores: cpus().length,
    model,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${process.arch} ${release()}`,
    node: process.version,
    load: loadavg().map((one) => Number(one.toFixed(2))),
  };
}
