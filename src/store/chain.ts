import { randomHex, sha256 } from '../base/crypto.ts';
import type { Entry, Value } from '../kernel/store/store.ts';
import type { Table } from '../kernel/store/table.ts';

/**
 * The start of the journal's chain of digests. `changes` is covered together with `data`, and both are salted, so that a leaf
 * can be disclosed without them.
 *
 *   leaf = SHA-256(0x00 ‖ ["project","at","actor","subject","kind","hex SHA-256(salt ‖ [data,changes])"])
 *   link = SHA-256(link of the row before ‖ leaf)
 *
 * Texts are hashed as UTF-8, the salt as its hexadecimal digits, `data` and `changes` as the very text that is stored.
 */
export const firstLink = '0'.repeat(64);

/** A journal entry with its salt, before it has a place in the chain. */
export interface SaltedEntry extends Entry {
  readonly salt: string;
}

export function saltEntry(entry: Entry): SaltedEntry {
  const { project, at, actor, subject, kind, data } = entry;
  return {
    project: project.toWellFormed(),
    at,
    // No database returns a lone surrogate unchanged.
    actor: actor.toWellFormed(),
    subject: subject.toWellFormed(),
    kind,
    data,
    salt: randomHex(),
  };
}

/** The leaf's text up to the digest of the data: the part that is known before the changes are. */
export function leafStart({ project, at, actor, subject, kind }: Omit<SaltedEntry, 'data' | 'salt'>): string {
  return `${JSON.stringify([project, at, actor, subject, kind]).slice(0, -1)},"`;
}

export function leafOf(sealed: SaltedEntry, changes: string): string {
  const data = sha256(`${sealed.salt}[${sealed.data},${changes}]`);
  return sha256(`\0${leafStart(sealed)}${data}"]`);
}

export function linkOf(previous: string, leaf: string): string {
  return sha256(Buffer.from(previous + leaf, 'hex'));
}

/**
 * The digest of a row: each value as `length in bytes:text`, null as `-`. A column that was added later follows as
 * `name=length:text`, or is left out if it is null. So no two rows have the same text, and a row without a value in an added
 * column keeps its digest.
 */
export function rowDigest(columns: readonly CountedColumn[], value: (name: string) => Value): string {
  let text = '';
  for (const { name, isAdded } of columns) {
    const found = value(name);
    if (found === null) text += isAdded ? '' : '-';
    else text += `${isAdded ? `${name}=` : ''}${Buffer.byteLength(String(found))}:${found}`;
  }
  return sha256(text);
}

/** A column that a row's digest covers. */
export interface CountedColumn {
  readonly name: string;
  readonly isAdded: boolean;
}

/** The columns that a row's digest covers: its key and every column that is not volatile, added columns last. */
export function countedColumns({ columns, key, volatile = [], added = [] }: Table): readonly CountedColumn[] {
  if (volatile === 'all') return [];
  const names = Object.keys(columns).filter((name) => key.includes(name) || !volatile.includes(name));
  const first = names.filter((name) => !added.includes(name));
  return [
    ...first.map((name) => ({ name, isAdded: false })),
    // Sorted, so that their order in the declaration does not matter.
    ...names
      .filter((name) => added.includes(name))
      .toSorted()
      .map((name) => ({ name, isAdded: true })),
  ];
}
