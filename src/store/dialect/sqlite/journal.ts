import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { leafOf, linkOf, type SaltedEntry } from '../../chain.ts';
import type { Head } from '../../engine.ts';
import { staleEpochProblem, headQuery } from '../../schema.ts';
import type { Change } from '../../write-target.ts';

export type FixedStatements = ReturnType<typeof prepareFixed>;

/** The statements that every commit uses, prepared once. */
export function prepareFixed(db: DatabaseSyncInstance) {
  return {
    begin: db.prepare('begin'),
    beginWriting: db.prepare('begin immediate'),
    commit: db.prepare('commit'),
    head: db.prepare(headQuery.sql),
    record: db.prepare(
      `insert into journal (seq, project, at, actor, subject, kind, data, changes, salt, leaf, link) values (${'?, '.repeat(10)}?)`,
    ),
    moveHead: db.prepare('update sekisho_head set seq = ?, link = ?'),
  };
}

export function readEpoch(db: DatabaseSyncInstance): number {
  return (db.prepare(headQuery.sql).get() as unknown as Head | undefined)?.epoch ?? 0;
}

/** Appends entries, if there are any, within the caller's transaction. The first entry lists all changes. */
export function appendEntries(
  { head, record, moveHead }: FixedStatements,
  journal: readonly SaltedEntry[],
  changes: readonly Change[],
  { epoch, location }: { readonly epoch: number; readonly location: string },
): number {
  const last = head.get() as unknown as Head | undefined;
  if (last === undefined) throw new Error('the head of the journal has no rows');
  if (last.epoch !== epoch) throw staleEpochProblem(location);
  if (journal.length === 0) return last.seq;
  let { seq, link } = last;
  let changed = JSON.stringify(changes);
  for (const sealed of journal) {
    const { project, at, actor, subject, kind, data, salt } = sealed;
    const leaf = leafOf(sealed, changed);
    link = linkOf(link, leaf);
    seq += 1;
    record.run(seq, project, at, actor, subject, kind, data, changed, salt, leaf, link);
    changed = '[]';
  }
  moveHead.run(seq, link);
  return seq;
}
