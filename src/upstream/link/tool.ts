import type { Plain } from '../../base/json-object.ts';
import { isPlain } from '../../base/json-object.ts';
import type { Words } from '../../kernel/text/text.ts';

export interface LeftOut {
  readonly name: string;
  readonly reason: Words;
}

const nameRule = /^[A-Za-z0-9_.-]{1,128}$/;

/**
 * What would make a client reject the whole list for this one tool; undefined where nothing does. The rules are those
 * that the clients' own schemas enforce, not those of good taste.
 */
export function toolFault(tool: unknown): Words | undefined {
  if (!isPlain(tool)) return { en: 'it is no object', ja: 'オブジェクトではありません' };
  const { name, description, title, annotations, icons, _meta } = tool;
  if (typeof name !== 'string') return { en: 'it has no name', ja: '名前がありません' };
  if (!nameRule.test(name))
    return {
      en: 'its name has characters other than letters, digits, _ . and -, or more than 128',
      ja: '名前に英数字と _ . - 以外の文字があるか、128 文字を超えています',
    };
  const mistyped = Object.entries({ description, title }).find(
    ([, value]) => value !== undefined && typeof value !== 'string',
  );
  if (mistyped !== undefined)
    return { en: `its ${mistyped[0]} is no text`, ja: `${mistyped[0]} が文字列ではありません` };
  if (annotations !== undefined && !isPlain(annotations))
    return { en: 'its annotations are no object', ja: 'annotations がオブジェクトではありません' };
  if (icons !== undefined && !Array.isArray(icons))
    return { en: 'its icons are no list', ja: 'icons が配列ではありません' };
  if (_meta !== undefined && !isPlain(_meta))
    return { en: 'its _meta is no object', ja: '_meta がオブジェクトではありません' };
  const output = tool['outputSchema'];
  if (output !== undefined && !isPlain(output))
    return { en: 'its outputSchema is no schema', ja: 'outputSchema がスキーマではありません' };
  return inputFault(tool['inputSchema']);
}

function inputFault(schema: unknown): Words | undefined {
  if (!isPlain(schema)) return { en: 'its inputSchema is no schema', ja: 'inputSchema がスキーマではありません' };
  if (schema['type'] !== 'object')
    return { en: 'its inputSchema is not of type "object"', ja: 'inputSchema の type が "object" ではありません' };
  const { properties, required } = schema;
  if (properties !== undefined && (!isPlain(properties) || !Object.values(properties).every(isPlain)))
    return {
      en: 'its inputSchema has properties that are no schemas',
      ja: 'inputSchema の properties にスキーマではないものがあります',
    };
  if (required !== undefined && !(Array.isArray(required) && required.every((one) => typeof one === 'string')))
    return {
      en: 'its inputSchema has a required that is no list of names',
      ja: 'inputSchema の required が名前の配列ではありません',
    };
  return undefined;
}

/** The 2025 era knows only structured results that are objects; a list must not fail for one that is not. */
export function withoutForeignOutput(tool: Plain): Plain {
  const output = tool['outputSchema'];
  if (output === undefined || (isPlain(output) && output['type'] === 'object')) return tool;
  const { outputSchema: _, ...rest } = tool;
  return rest;
}

/** Whether a call may be sent again although it may have run. */
export function isRepeatable(tool: Plain | undefined): boolean {
  const annotations = tool?.['annotations'];
  return isPlain(annotations) && (annotations['idempotentHint'] === true || annotations['readOnlyHint'] === true);
}

const sameName: Words = { en: 'another tool has the same name', ja: '同じ名前のツールがほかにあります' };

/** Splits what an upstream lists: what can be shown, and what not and why. */
export function sift(tools: readonly unknown[]): { tools: readonly Plain[]; leftOut: readonly LeftOut[] } {
  const good: Plain[] = [];
  const leftOut: LeftOut[] = [];
  const seen = new Set<string>();
  for (const tool of tools) {
    const name = isPlain(tool) && typeof tool['name'] === 'string' ? tool['name'] : '?';
    const fault = toolFault(tool) ?? (seen.has(name) ? sameName : undefined);
    if (fault === undefined) good.push(tool as Plain);
    else leftOut.push({ name, reason: fault });
    seen.add(name);
  }
  return { tools: good, leftOut };
}
