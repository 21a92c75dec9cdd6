/** An object as JSON has it. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An object, or one that was written as a string of JSON. Anything else holds nothing that can be read. */
export function jsonObjectOf(value: unknown): JsonObject {
  if (isJsonObject(value)) return value;
  if (typeof value !== 'string') return {};
  try {
    const parsed: unknown = JSON.parse(value);
    return isJsonObject(parsed) ? parsed : { text: value };
  } catch {
    return { text: value };
  }
}
