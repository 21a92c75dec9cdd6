import { isJsonObject } from '../../base/json-object.ts';
import { isTime, timeAgo, withShortIds } from './cell.ts';
import { escapeControlCharacters } from './escape-control-characters.ts';
import type { Screen } from './screen.ts';

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

const yes = { en: 'yes', ja: 'はい' };
const no = { en: 'no', ja: 'いいえ' };

/** A value in one cell, in words: never JSON. */
export function briefValue(value: unknown, screen: Screen): string {
  if (isEmpty(value)) return '';
  if (typeof value === 'string')
    return isTime(value) ? timeAgo(value, screen) : escapeControlCharacters(withShortIds(value, screen));
  if (typeof value === 'boolean') return (value ? yes : no)[screen.lang];
  if (Array.isArray(value)) return value.map((one) => briefValue(one, screen)).join(', ');
  if (isJsonObject(value))
    return Object.entries(value)
      .filter(([, one]) => !isEmpty(one))
      .map(([key, one]) => `${escapeControlCharacters(key)} ${briefValue(one, screen)}`)
      .join(' · ');
  return String(value);
}
