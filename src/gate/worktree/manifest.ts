import { createHash } from 'node:crypto';
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Rules } from './names.ts';

/** Regular file, executable file, link, or other (never opened). */
export type Kind = 'f' | 'x' | 'l' | 'o';

export interface TreeEntry {
  readonly kind: Kind;
  /** SHA-256 of the content, or of a link's target. */
  readonly digest: string;
}

/** A work tree as it was at one moment. */
export interface Manifest {
  readonly files: ReadonlyMap<string, TreeEntry>;
  /** The ignore rules of each repository in it, by its folder; '' is the tree's own. */
  readonly rules: Readonly<Record<string, Rules>>;
}

/** Returns the digest of a tree. It does not depend on when files were written. */
export function manifestDigest({ files, rules }: Manifest): string {
  const hash = createHash('sha256').update(JSON.stringify(rules));
  for (const name of [...files.keys()].toSorted()) {
    const { kind, digest } = files.get(name)!;
    hash.update(`\n${kind} ${digest} `).update(name, 'latin1');
  }
  return hash.digest('hex');
}

const digestBytes = 32;

/** Packs a manifest as text, column by column, since similar values compress best together. */
export function packManifest({ files, rules }: Manifest): string {
  const found = [...files.values()];
  const head = Buffer.from(JSON.stringify({ rules, count: found.length }));
  const names = Buffer.from([...files.keys()].join('\0'), 'latin1');
  const sizes = Buffer.alloc(8);
  sizes.writeUInt32LE(head.length, 0);
  sizes.writeUInt32LE(names.length, 4);
  const body = Buffer.concat([
    sizes,
    head,
    names,
    Buffer.from(found.map((one) => one.kind).join(''), 'latin1'),
    Buffer.from(found.map((one) => one.digest.padStart(digestBytes * 2, '0')).join(''), 'hex'),
  ]);
  return deflateRawSync(body, { level: 1 }).toString('base64');
}

export function unpackManifest(text: string): Manifest {
  const body = inflateRawSync(Buffer.from(text, 'base64'));
  let at = 8;
  const take = (bytes: number) => body.subarray(at, (at += bytes));
  const head = take(body.readUInt32LE(0)).toString();
  const { rules, count } = JSON.parse(head) as { rules: Manifest['rules']; count: number };
  const names = take(body.readUInt32LE(4)).toString('latin1').split('\0');
  const kinds = take(count).toString('latin1');
  // Read from the end: older manifests have sizes and times before the digests.
  const digests = body.subarray(body.length - count * digestBytes).toString('hex');
  const files = new Map<string, TreeEntry>();
  for (let index = 0; index < count; index++)
    files.set(names[index] ?? '', {
      kind: (kinds[index] ?? 'o') as Kind,
      digest: digests.slice(index * digestBytes * 2, (index + 1) * digestBytes * 2),
    });
  return { files, rules };
}

export interface Change {
  readonly path: string;
  readonly how: 'added' | 'changed' | 'removed';
}

/** A change with the previous and current entry. */
export interface EntryChange extends Change {
  readonly before: TreeEntry | undefined;
  readonly after: TreeEntry | undefined;
}

/** Changes since a manifest (its digest is `since`), or the reason why they are unknown. */
export type TreeChanges = { readonly changes: readonly Change[]; readonly since: string } | { readonly fault: string };

export function compareManifests(before: Manifest, after: Manifest): readonly EntryChange[] {
  const changes: EntryChange[] = [];
  const note = (name: string, how: Change['how']) =>
    changes.push({
      path: Buffer.from(name, 'latin1').toString('utf8'),
      how,
      before: before.files.get(name),
      after: after.files.get(name),
    });
  for (const [name, then] of before.files) {
    const now = after.files.get(name);
    if (now === undefined) note(name, 'removed');
    else if (now.kind !== then.kind || now.digest !== then.digest) note(name, 'changed');
  }
  for (const name of after.files.keys()) if (!before.files.has(name)) note(name, 'added');
  return changes.toSorted((a, b) => (a.path < b.path ? -1 : 1));
}
