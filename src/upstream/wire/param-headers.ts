import { isPlain } from '../../kernel/plain.ts';

/** An upstream of the 2026 era may want arguments in headers too, for whoever routes by them (`x-mcp-header`). */
export function paramHeaders(schema: unknown, input: unknown): Readonly<Record<string, string>> {
  if (!isPlain(schema) || !isPlain(schema['properties']) || !isPlain(input)) return {};
  const headers: Record<string, string> = {};
  for (const [key, property] of Object.entries(schema['properties'])) {
    if (!isPlain(property)) continue;
    const header = property['x-mcp-header'];
    const value = input[key];
    if (typeof header === 'string' && ['string', 'number', 'boolean'].includes(typeof value))
      headers[`Mcp-Param-${header}`] = encode(String(value));
    Object.assign(headers, paramHeaders(property, value));
  }
  return headers;
}

/** What cannot stand in a header, or would be read as something else there, is wrapped as Base64. */
function encode(value: string): string {
  const plain = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(value) && !/^=\?base64\?.*\?=$/s.test(value);
  return plain ? value : `=?base64?${Buffer.from(value, 'utf8').toString('base64')}?=`;
}
