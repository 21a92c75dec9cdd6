import { definePhrases } from '../../kernel/text/text.ts';
import type { Screen } from './screen.ts';
import * as ja from './ja.ts';
import { isJsonObject } from '../../base/json-object.ts';
import { escapeControlCharacters } from './escape-control-characters.ts';

const form = '(?:[a-z]+[-_])?[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}';
/** Our ids in a text. Not in a path, which would lead nowhere. */
const inText = new RegExp(`(?<![\\w/.-])${form}(?![\\w/-])`, 'g');

export function idsIn(value: unknown): readonly string[] {
  return [...new Set(JSON.stringify(value)?.match(inText))];
}

export function withShortIds(text: string, { ids }: Pick<Screen, 'ids'>): string {
  return ids === undefined ? text : text.replaceAll(inText, (id) => ids.get(id) ?? id);
}

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

export function isTime(text: string): boolean {
  return time.test(text);
}

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
const farDays = 30;

export const english = {
  ago: ({ amount }: { amount: string }) => `${amount} ago`,
  ahead: ({ amount }: { amount: string }) => `in ${amount}`,
  now: () => 'now',
  seconds: ({ n }: { n: number }) => `${n} s`,
  minutes: ({ n }: { n: number }) => `${n} min`,
  hours: ({ n }: { n: number }) => `${n} h`,
  days: ({ n }: { n: number }) => `${n} d`,
};

const said = definePhrases(english, ja.cell);

/** `3 min ago`; the day itself where that is long ago. */
export function timeAgo(text: string, { now, lang }: Screen): string {
  const date = new Date(text);
  const seconds = Math.round((now.getTime() - date.getTime()) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 1) return said.now()(lang);
  if (distance >= farDays * day) return localDay(date);
  const amount = (
    distance < minute
      ? said.seconds({ n: distance })
      : distance < hour
        ? said.minutes({ n: Math.floor(distance / minute) })
        : distance < day
          ? said.hours({ n: Math.floor(distance / hour) })
          : said.days({ n: Math.floor(distance / day) })
  )(lang);
  return (seconds > 0 ? said.ago({ amount }) : said.ahead({ amount }))(lang);
}

/** In the person's own zone. */
export function clock(text: string): string {
  const date = new Date(text);
  return `${localDay(date)} ${[date.getHours(), date.getMinutes(), date.getSeconds()].map(two).join(':')}`;
}

function localDay(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
}

function two(number: number): string {
  return String(number).padStart(2, '0');
}

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
