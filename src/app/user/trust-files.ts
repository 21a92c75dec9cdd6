import { areKeysForged, writeHookKeys } from '../../config/hook-keys.ts';
import { readCopy, writeTrusted } from '../../config/trust.ts';
import type { Author } from '../../kernel/store/journal.ts';
import { type ReviewedFile, type TrustedFile, type TrustedFiles, configurationFile } from '../../kernel/trust.ts';
import type { Fault } from '../../store/verify.ts';
import { readTrust, recordTrust } from '../../user/trust.ts';
import { type Owner, withUserStore } from './user-store.ts';

/** Records the files of a project that a person reviewed. From now on exactly that content takes effect, for hooks too. */
export async function trustFiles(owner: Owner, actor: Author['actor'], seen: readonly ReviewedFile[]): Promise<void> {
  const { data, key } = owner.place;
  const by = { actor, project: { key: 'user' }, now: () => new Date() };
  // Written even if nothing is new: this is how a person repairs the copies that hooks read.
  writeTrusted(data, key, await withUserStore(owner, (store) => recordTrust(store, by, key, seen)));
  await writeHookKeys(owner.place);
}

/** Finds trusted copies, and hook keys compiled from them, that differ from the user's database. */
export async function trustFaults(owner: Owner): Promise<readonly Fault[]> {
  const { data, key } = owner.place;
  const recorded = await withUserStore(owner, readTrust);
  const detail = {
    en: 'the copy in use differs from what was trusted',
    ja: '使われている写しが、信頼された内容と違います',
  };
  const faults: Fault[] = [];
  for (const project of new Set([key, ...recorded.keys()])) {
    const copy = readCopy(data, project);
    const record: TrustedFiles = recorded.get(project) ?? new Map();
    const areForged = await areKeysForged({ data, key: project }, record.get(configurationFile));
    for (const file of new Set([...copy.keys(), ...record.keys()]))
      if (!isSame(copy.get(file), record.get(file)) || (areForged && file === configurationFile))
        faults.push({ table: 'trust', key: [project, file], damage: 'changed', detail });
  }
  return faults;
}

function isSame(copy: TrustedFile | undefined, record: TrustedFile | undefined): boolean {
  return copy?.text === record?.text && copy?.digest === record?.digest;
}
