import { createHash } from 'node:crypto';
import { text, readRows } from '../../kernel/store/row.ts';
import type { Store, Write } from '../../kernel/store/store.ts';

/** Holds the content that a decision looked at, by digest, until it is known what has to be stored. */
export interface Keeper {
  /** Adds content and returns its digest. It holds nothing beyond the limit of one decision. */
  add(bytes: Buffer): string;
  get(digest: string): Buffer | undefined;
}

export function createKeeper(limit: number): Keeper {
  const held = new Map<string, Buffer>();
  let room = limit;
  return {
    add(bytes) {
      const digest = createHash('sha256').update(bytes).digest('hex');
      if (!held.has(digest) && bytes.length <= room) {
        held.set(digest, bytes);
        room -= bytes.length;
      }
      return digest;
    },
    get: (digest) => held.get(digest),
  };
}

/** Returns the writes that store the content of these digests, as far as the keeper has it. */
export function keepWrites(keeper: Keeper, digests: Iterable<string>, at: string): readonly Write[] {
  return [...new Set(digests)].flatMap((digest) => {
    const bytes = keeper.get(digest);
    if (bytes === undefined) return [];
    return [
      {
        sql: 'insert into kept_bytes (digest, size, body, at) values (:digest, :size, :body, :at) on conflict (digest) do nothing',
        args: { digest, size: bytes.length, body: bytes.toString('base64'), at },
      },
    ];
  });
}

/** Reads stored content; undefined if it was too large to be kept or a person has removed it. */
export async function readKept(store: Store, digest: string): Promise<Buffer | undefined> {
  const [row] = await readRows(store, 'select body from kept_bytes where digest = :digest', { digest });
  return row === undefined ? undefined : Buffer.from(text(row, 'body'), 'base64');
}
