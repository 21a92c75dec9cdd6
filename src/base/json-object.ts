/** A JSON object: neither null nor an array. */
export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A string that is not empty; undefined for anything else. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An object, or the object that a string of JSON contains. Other strings become `{ text }`, other values `{}`. */
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
