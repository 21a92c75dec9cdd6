import type { JsonObject } from '../../base/json-object.ts';
import type { Usage } from '../agent-cli.ts';

/** Parses a line as a JSON object; undefined for anything else. Torn lines and plain text are normal. */
export function jsonLine(line: string): JsonObject | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line) as JsonObject;
  } catch {
    return undefined;
  }
}

export function object(value: unknown): JsonObject {
  return typeof value === 'object' && value !== null ? (value as JsonObject) : {};
}

export function list(value: unknown): readonly JsonObject[] {
  return Array.isArray(value) ? value.map(object) : [];
}

export function number(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** Removes unknown fields. */
export function usageOf(given: { readonly [K in keyof Usage]: Usage[K] | undefined }): Usage {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
}
