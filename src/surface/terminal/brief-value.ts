import { isPlain } from '../../base/json-object.ts';
import { isTime, when, withShortIds } from './cell.ts';
import { harmless } from './escape-control-characters.ts';
import type { Screen } from './screen.ts';

export function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);
}

const yes = { en: 'yes', ja: 'はい' };
const no = { en: 'no', ja: 'いいえ' };

/** A value in one cell, in words: never JSON. */
export function brief(value: unknown, screen: Screen, ids?: ReadonlyMap<string, string>): string {
  if (isEmpty(value)) return '';
  if (typeof value === 'string')
    return isTime(value) ? when(value, screen) : harmless(ids?.get(value) ?? withShortIds(value));
  if (typeof value === 'boolean') return (value ? yes : no)[screen.lang];
  if (Array.isArray(value)) return value.map((one) => brief(one, screen, ids)).join(', ');
  if (isPlain(value))
    return Object.entries(value)
      .filter(([, one]) => !isEmpty(one))
      .map(([key, one]) => `${harmless(key)} ${brief(one, screen, ids)}`)
      .join(' · ');
  return String(value);
}
