import { headerValue } from '../../protocol/header-value.ts';
import { isJsonObject } from '../../base/json-object.ts';

/** Builds headers from arguments that a 2026-era upstream wants there too, for routing (`x-mcp-header`). */
export function paramHeaders(schema: unknown, input: unknown): Readonly<Record<string, string>> {
  if (!isJsonObject(schema) || !isJsonObject(schema['properties']) || !isJsonObject(input)) return {};
  const headers: Record<string, string> = {};
  for (const [key, property] of Object.entries(schema['properties'])) {
    if (!isJsonObject(property)) continue;
    const header = property['x-mcp-header'];
    const value = input[key];
    if (typeof header === 'string' && ['string', 'number', 'boolean'].includes(typeof value))
      headers[`Mcp-Param-${header}`] = headerValue(String(value));
    Object.assign(headers, paramHeaders(property, value));
  }
  return headers;
}
