import { type JsonObject, isJsonObject } from '../../base/json-object.ts';
import type { Words } from '../../kernel/text/text.ts';
import { words } from '../words.ts';

export interface LeftOutTool {
  readonly name: string;
  readonly reason: Words;
}

const nameRule = /^[A-Za-z0-9_.-]{1,128}$/;

/** Returns why a client's own schema would reject the whole list because of this tool; undefined if none would. */
export function toolFault(tool: unknown): Words | undefined {
  if (!isJsonObject(tool)) return words('it is not an object');
  const { name, description, title, annotations, icons, _meta } = tool;
  if (typeof name !== 'string') return words('it has no name');
  if (!nameRule.test(name))
    return words('its name has characters other than letters, digits, _ . and -, or more than 128');
  const mistyped = Object.entries({ description, title }).find(
    ([, value]) => value !== undefined && typeof value !== 'string',
  );
  if (mistyped !== undefined)
    return { en: `its ${mistyped[0]} is not a string`, ja: `${mistyped[0]} が文字列ではありません` };
  if (annotations !== undefined && !isJsonObject(annotations)) return words('its annotations are not an object');
  if (icons !== undefined && !Array.isArray(icons)) return words('its icons are not a list');
  if (_meta !== undefined && !isJsonObject(_meta)) return words('its _meta is not an object');
  const output = tool['outputSchema'];
  if (output !== undefined && !isJsonObject(output)) return words('its outputSchema is not a schema');
  return inputFault(tool['inputSchema']);
}

function inputFault(schema: unknown): Words | undefined {
  if (!isJsonObject(schema)) return words('its inputSchema is not a schema');
  if (schema['type'] !== 'object') return words('its inputSchema is not of type "object"');
  const { properties, required } = schema;
  if (properties !== undefined && (!isJsonObject(properties) || !Object.values(properties).every(isJsonObject)))
    return words('its inputSchema has properties that are not schemas');
  if (required !== undefined && !(Array.isArray(required) && required.every((one) => typeof one === 'string')))
    return words('its inputSchema has a required that is not a list of names');
  return undefined;
}

/** Removes an output schema that is not an object's: with a single one the whole list would fail in the 2025 era. */
export function withoutForeignOutput(tool: JsonObject): JsonObject {
  const output = tool['outputSchema'];
  if (output === undefined || (isJsonObject(output) && output['type'] === 'object')) return tool;
  const { outputSchema: _, ...rest } = tool;
  return rest;
}

/** Whether a call may be sent again although it may have run. */
export function isRepeatable(tool: JsonObject | undefined): boolean {
  const annotations = tool?.['annotations'];
  return isJsonObject(annotations) && (annotations['idempotentHint'] === true || annotations['readOnlyHint'] === true);
}

const sameName: Words = words('another tool has the same name');

/** Splits an upstream's tools into those that can be shown and those that cannot, with the reason. */
export function siftTools(tools: readonly unknown[]): {
  tools: readonly JsonObject[];
  leftOut: readonly LeftOutTool[];
} {
  const good: JsonObject[] = [];
  const leftOut: LeftOutTool[] = [];
  const seen = new Set<string>();
  for (const tool of tools) {
    const name = isJsonObject(tool) && typeof tool['name'] === 'string' ? tool['name'] : '?';
    const fault = toolFault(tool) ?? (seen.has(name) ? sameName : undefined);
    if (fault === undefined) good.push(tool as JsonObject);
    else leftOut.push({ name, reason: fault });
    seen.add(name);
  }
  return { tools: good, leftOut };
}
