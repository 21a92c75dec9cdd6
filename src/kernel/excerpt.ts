import type { Plain } from './plain.ts';

/** Clients write the id first or last; nothing that stands before or after it is long but the parameters. */
export const keptBytes = 16 * 1024;

/** The beginning and the end of a message that is too large to keep. */
export class Excerpt {
  #head = '';
  #tail = '';

  add(chunk: Buffer): void {
    const room = keptBytes - this.#head.length;
    // Latin 1: ids are ASCII in practice, and bytes then stay characters.
    if (room > 0) this.#head += chunk.toString('latin1', 0, room);
    const end = chunk.toString('latin1', Math.max(0, chunk.length - keptBytes));
    this.#tail = (this.#tail + end).slice(-keptBytes);
  }

  /** Its id, and whether it is a request (else it is an answer); undefined where neither end says so. `half`: it goes on. */
  identify(half = false): { readonly id: string | number; readonly isRequest: boolean } | undefined {
    const found = { ...(half ? {} : membersAtEnd(this.#tail)), ...membersAtStart(this.#head) };
    const { id } = found;
    if (typeof id !== 'string' && !Number.isSafeInteger(id)) return undefined;
    return { id: id as string | number, isRequest: !('result' in found || 'error' in found) };
  }
}

const scalar = /\s*("(?:[^"\\]|\\.)*"|-?[\d.eE+-]+|true|false|null)\s*/y;
const key = /\s*("(?:[^"\\]|\\.)*")\s*:/y;

/** The members of an object before its first one that is long or nested; of that one, the key. */
function membersAtStart(text: string): Plain {
  const members: Record<string, unknown> = {};
  let at = text.indexOf('{') + 1;
  if (text.slice(0, at).trim() !== '{') return members;
  for (;;) {
    key.lastIndex = at;
    const name = key.exec(text);
    if (name === null) return members;
    scalar.lastIndex = key.lastIndex;
    const value = scalar.exec(text);
    const known = JSON.parse(name[1] ?? '""') as string;
    if (value === null || text[scalar.lastIndex] !== ',') return { ...members, [known]: undefined };
    members[known] = parsed(value[1] ?? '');
    at = scalar.lastIndex + 1;
  }
}

/** Flat members right before the last brace; whatever is nested ends with a brace of its own. */
const lastMembers = /((?:,\s*"[^"\\]*"\s*:\s*(?:"[^"\\]*"|-?\d+)\s*)+)\}\s*$/;

function membersAtEnd(text: string): Plain {
  const found = lastMembers.exec(text.slice(-1024))?.[1];
  return found === undefined ? {} : ((parsed(`{${found.slice(1)}}`) ?? {}) as Plain);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
