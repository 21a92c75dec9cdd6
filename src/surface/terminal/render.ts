import stringWidth from 'string-width';
import type { Operation } from '../../kernel/operation.ts';
import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import { briefValue, isEmpty, clock, isTime, timeAgo } from './cell.ts';
import { pad, wrap } from './fit.ts';
import { escapeControlCharacters } from './escape-control-characters.ts';
import type { Screen } from './screen.ts';
import { style } from './style.ts';
import { renderTable } from './table.ts';

const none = { en: 'none', ja: 'なし' };
const indent = 2;

/** What an operation answered. One that answers with a text is read as that text. */
export function renderOutput(operation: Pick<Operation, 'present'>, output: JsonObject, screen: Screen): string {
  const text = operation.present?.(output).text;
  if (text === undefined || !Object.values(output).includes(text)) return renderAnswer(output, screen);
  return `${wrap(escapeControlCharacters(text), screen.width).join('\n')}\n`;
}

/** An answer for a person: lists as tables, what is nested below its name, the rest as names and values. */
export function renderAnswer(output: JsonObject, screen: Screen): string {
  return `${lines(output, screen).join('\n')}\n`;
}

function lines(value: JsonObject, screen: Screen): readonly string[] {
  const fields = Object.entries(value).filter(([, one]) => one !== undefined && one !== null);
  const short = fields.filter(([, one]) => !isTable(one) && !isTree(one));
  const long = fields.filter(([, one]) => isTable(one) || isTree(one));
  const names = Math.max(0, ...short.map(([key]) => stringWidth(key)));
  const shown = short.flatMap(([key, one]) => field(key, one, names, screen));
  for (const [key, one] of long) {
    if (shown.length > 0) shown.push('');
    shown.push(...section(key, one, screen));
  }
  return shown;
}

function field(key: string, value: unknown, names: number, screen: Screen): readonly string[] {
  const text = single(value, screen);
  const room = screen.width - names - indent;
  // Beside a long name there is no room to read in.
  if (text.includes('\n') || room < Math.min(20, stringWidth(text)))
    return [style.dim(escapeControlCharacters(key)), ...below(wrap(text.trimEnd(), screen.width - indent))];
  return wrap(text, room).map(
    (part, at) =>
      `${at === 0 ? style.dim(pad(escapeControlCharacters(key), names)) : ' '.repeat(names)}${' '.repeat(indent)}${part}`,
  );
}

function single(value: unknown, screen: Screen): string {
  return typeof value === 'string' && isTime(value)
    ? `${timeAgo(value, screen)} (${clock(value)})`
    : briefValue(value, screen);
}

function section(key: string, value: unknown, screen: Screen): readonly string[] {
  const inner = { ...screen, width: screen.width - indent };
  if (isJsonObject(value)) return [style.bold(escapeControlCharacters(key)), ...below(lines(value, inner))];
  const rows = value as readonly JsonObject[];
  const content = rows.length === 0 ? [style.dim(none[screen.lang])] : renderTable(rows, inner);
  return [style.bold(`${escapeControlCharacters(key)} (${rows.length})`), ...below(content)];
}

function below(shown: readonly string[]): readonly string[] {
  return shown.map((line) => (line === '' ? '' : ' '.repeat(indent) + line));
}

function isTable(value: unknown): boolean {
  return Array.isArray(value) && value.every((one) => isJsonObject(one));
}

function isTree(value: unknown): boolean {
  return isJsonObject(value) && Object.values(value).some((one) => !isEmpty(one));
}
