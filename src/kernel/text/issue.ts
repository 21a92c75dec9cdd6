import type { z } from 'zod';
import { ruleIn } from './rule.ts';
import type { Lang } from './text.ts';

type Issue = z.core.$ZodIssue;

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let at = value;
  for (const key of path) at = (at as Record<PropertyKey, unknown> | undefined)?.[key];
  return at;
}

/** Japanese names for types, in words for people who do not program. */
const kinds: Readonly<Record<string, string | undefined>> = {
  string: '文字列',
  number: '数値',
  int: '整数',
  boolean: 'true または false',
  array: '一覧',
  object: 'キーと値',
  record: 'キーと値',
};

export const missingInJapanese = '必須です';

/** The fault of an input value, as a sentence without a full stop. The English text is zod's or the rule's. */
export function issueIn(lang: Lang, issue: Issue, whole: unknown): string {
  return lang === 'en' ? issue.message : inJapanese(issue, valueAt(whole, issue.path));
}

export function inJapanese(issue: Issue, given: unknown): string {
  switch (issue.code) {
    case 'invalid_type':
      return given === undefined ? missingInJapanese : wants(kindOf(issue.expected), given);
    case 'invalid_value':
      return wants(issue.values.map(String).join('、'), given);
    case 'too_small':
      return `${bound(issue.minimum, given)}以上にしてください`;
    case 'too_big':
      return `${bound(issue.maximum, given)}以下にしてください`;
    case 'unrecognized_keys':
      return `${issue.keys.map((key) => `「${key}」`).join('、')}という項目はありません`;
    case 'invalid_union':
      return alternatives(issue.errors, given);
    case 'custom':
    case 'invalid_element':
    case 'invalid_format':
    case 'invalid_key':
    case 'not_multiple_of':
      return ruleIn('ja', issue.message);
  }
}

/** The fault of a value that fits no branch of a union: what each branch expects. */
function alternatives(branches: readonly (readonly Issue[])[], given: unknown): string {
  const here = branches.flatMap((issues) => issues.filter((one) => one.path.length === 0).slice(0, 1));
  const wanted = here.flatMap((one) => {
    if (one.code === 'invalid_type') return [kindOf(one.expected)];
    return one.code === 'invalid_value' ? one.values.map(String) : [];
  });
  if (given === undefined) return missingInJapanese;
  if (wanted.length === branches.length) return wants([...new Set(wanted)].join('、'), given);
  // One branch has the right type: its inner fault is the useful one.
  const inner = branches.find((issues) => issues.some((one) => one.path.length > 0)) ?? branches[0] ?? [];
  return inner.map((one) => [...one.path.map(String), inJapanese(one, valueAt(given, one.path))].join(': ')).join('、');
}

function kindOf(expected: string): string {
  return kinds[expected] ?? expected;
}

function wants(what: string, given: unknown): string {
  return `${what} を指定してください (${shown(given)} は使えません)`;
}

function bound(limit: number | bigint, given: unknown): string {
  if (typeof given === 'string') return `${limit} 文字`;
  return Array.isArray(given) ? `${limit} 個` : `${limit} `;
}

function shown(value: unknown): string {
  if (value === null) return '空の値';
  if (Array.isArray(value)) return '一覧';
  if (typeof value === 'object') return 'キーと値';
  return JSON.stringify(typeof value === 'string' ? value.slice(0, 60) : value) ?? '';
}
