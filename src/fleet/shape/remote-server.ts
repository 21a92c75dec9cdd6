import type { JsonObject } from '../../base/json-object.ts';

/** Builds the header with a token, in the client's own syntax for a variable. */
export function bearer(token: string): Readonly<Record<string, string>> {
  return { Authorization: `Bearer ${token}` };
}

/** Formats a server's entry in a client's JSON file, to be copied by hand. */
export function remoteJson(file: string, json: JsonObject): { readonly file: string; readonly text: string } {
  return { file, text: JSON.stringify(json, null, 2) };
}
