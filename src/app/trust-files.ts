import { readCopy, writeTrusted } from '../config/trust.ts';
import type { Author } from '../kernel/journal.ts';
import type { Seen, TrustedFile, TrustedFiles } from '../kernel/trust.ts';
import type { Fault } from '../store/verify.ts';
import { readTrust, recordTrust } from '../user/trust.ts';
import type { Owner } from './user-store.ts';
import { openUserStore } from './user-store.ts';

/** Keeps what a person saw of a project's files; from now on exactly that holds. */
export async function trustFiles(owner: Owner, actor: Author['actor'], seen: readonly Seen[]): Promise<void> {
  if (seen.length === 0) return;
  const { data, key } = owner.place;
  const store = await openUserStore(owner);
  try {
    const by = { actor, project: { key: 'user' }, now: () => new Date() };
    writeTrusted(data, key, await recordTrust(store, by, key, seen));
  } finally {
    await store.close();
  }
}

/** Copies that are not what the user's database has. */
export async function trustFaults(owner: Owner): Promise<readonly Fault[]> {
  const store = await openUserStore(owner);
  try {
    const { data, key } = owner.place;
    const recorded = await readTrust(store);
    return [...new Set([key, ...recorded.keys()])].flatMap((project) => {
      const copy = readCopy(data, project);
      const record: TrustedFiles = recorded.get(project) ?? new Map();
      return [...new Set([...copy.keys(), ...record.keys()])]
        .filter((file) => !isSame(copy.get(file), record.get(file)))
        .map((file) => ({
          table: 'trust',
          key: [project, file],
          damage: 'changed' as const,
          detail: {
            en: 'the copy that is obeyed is not what was trusted',
            ja: '使われている写しが、信頼された内容と違います',
          },
        }));
    });
  } finally {
    await store.close();
  }
}

function isSame(copy: TrustedFile | undefined, record: TrustedFile | undefined): boolean {
  return copy?.text === record?.text && copy?.digest === record?.digest;
}
