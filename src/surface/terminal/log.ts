import type { JsonObject } from '../../base/json-object.ts';
import { briefValue, clock } from './cell.ts';
import { cutTo } from './fit.ts';
import type { Screen } from './screen.ts';
import { style } from './style.ts';

const nothing = { en: 'Nothing is recorded yet.', ja: 'まだ記録はありません。' };

/** What happened, a line each: when, who, what, about what. */
export function renderLog(entries: readonly JsonObject[], screen: Screen): string {
  if (entries.length === 0) return `${style.dim(nothing[screen.lang])}\n`;
  return entries.map((entry) => `${line(entry, screen)}\n`).join('');
}

function line(entry: JsonObject, screen: Screen): string {
  const { at, actor, kind, subject, data } = entry;
  const time = clock(String(at)).slice('yyyy-mm-dd '.length);
  const what = `${String(kind)}  ${briefValue(subject, screen)}  ${briefValue(actor, screen)}  ${briefValue(data, screen)}`;
  return `${style.dim(time)}  ${cutTo(what.replaceAll(/\s+/g, ' '), screen.width - time.length - 2)}`;
}
