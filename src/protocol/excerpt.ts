import type { JsonObject } from '../base/json-object.ts';

/** Bytes kept at each end. Clients write the id first or last, and only the parameters between are long. */
export const keptBytes = 16 * 1024;

/** The beginning and the end of a message that is too large to keep. */
export class Excerpt {
  #head = '';
  #tail = '';

  add(chunk: Buffer): void {
    const room = keptBytes - this.#head.length;
    // Latin 1 keeps one character per byte. Ids are ASCII in practice.
    if (room > 0) this.#head += chunk.toString('latin1', 0, room);
    const end = chunk.toString('latin1', Math.max(0, chunk.length - keptBytes));
    this.#tail = (this.#tail + end).slice(-keptBytes);
  }

  /** The message's id and whether it is a request; undefined if neither end says so. `half`: its end has not arrived yet. */
  identify(half = false): { readonly id: string | number; readonly isRequest: boolean } | undefined {
    const found = { ...(half ? {} : membersAtEnd(this.#tail)), ...membersAtStart(this.#head) };
    const { id } = found;
    if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
    return { id: id as string | number, isRequest: !('result' in found || 'error' in found) };
  }
}

const string = String.raw`"(?:[^"\\]|\\.)*"`;
const flatMember = String.raw`\s*${string}\s*:\s*(?:${string}|-?[\d.eE+-]+|true|false|null)\s*`;
const firstMembers = new RegExp(String.raw`^\s*\{((?:${flatMember},)*)(?:\s*(${string})\s*:)?`);
const lastMembers = new RegExp(String.raw`((?:,${flatMember})+)\}\s*$`);

/** The members of an object before the first one that is long or nested, and that one's key. */
function membersAtStart(text: string): JsonObject {
  const [, flat = '', next] = firstMembers.exec(text) ?? [];
  return membersIn(next === undefined ? flat.slice(0, -1) : `${flat}${next}:null`);
}

/** The flat members right before the last brace. A nested member would end with a brace of its own. */
function membersAtEnd(text: string): JsonObject {
  return membersIn(lastMembers.exec(text.slice(-1024))?.[1]?.slice(1) ?? '');
}

function membersIn(flat: string): JsonObject {
  try {
    return JSON.parse(`{${flat}}`) as JsonObject;
  } catch {
    return {}; // The patterns accept some numbers and escapes that are not valid JSON.
  }
}
