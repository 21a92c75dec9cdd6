import { sha256 } from '../base/crypto.ts';
import { type Author, entry } from '../kernel/store/journal.ts';
import { text, readRows } from '../kernel/store/row.ts';
import type { Store, Write } from '../kernel/store/store.ts';
import type { ReviewedFile, TrustedFile, TrustedFiles } from '../kernel/trust.ts';

export async function readTrust(store: Store): Promise<ReadonlyMap<string, TrustedFiles>> {
  const rows = await readRows(store, 'select project, file, digest, text from trust order by project, file');
  const projects = new Map<string, Map<string, TrustedFile>>();
  for (const row of rows) {
    const files = projects.get(text(row, 'project')) ?? new Map<string, TrustedFile>();
    files.set(text(row, 'file'), { digest: text(row, 'digest'), text: text(row, 'text') });
    projects.set(text(row, 'project'), files);
  }
  return projects;
}

/** Records files as trusted. Only the latest version counts; the journal has the earlier ones. */
export async function recordTrust(
  store: Store,
  by: Author,
  project: string,
  seen: readonly ReviewedFile[],
): Promise<TrustedFiles> {
  const at = by.now().toISOString();
  const writes = seen.map((one) => writeOf(project, one, by.actor.id, at));
  const [first, ...rest] = seen.map((one) =>
    entry(by, one.file, 'file.trusted', {
      project,
      digest: one.text === undefined ? null : sha256(one.text),
      programs: one.programs,
    }),
  );
  if (first !== undefined) await store.commit(writes, [first, ...rest]);
  return (await readTrust(store)).get(project) ?? new Map<string, TrustedFile>();
}

function writeOf(project: string, { file, text: content }: ReviewedFile, actor: string, at: string): Write {
  if (content === undefined)
    return { sql: 'delete from trust where project = :project and file = :file', args: { project, file } };
  return {
    sql: `insert into trust (project, file, digest, text, actor, at) values (:project, :file, :digest, :text, :actor, :at)
      on conflict (project, file) do update set digest = excluded.digest, text = excluded.text, actor = excluded.actor, at = excluded.at`,
    args: { project, file, digest: sha256(content), text: content, actor, at },
  };
}
