import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import type { Entry, Outcome, Query, Recorded, Row, Write } from '../../../kernel/store.ts';
import type { Engine } from '../../engine.ts';
import { isDuplicate, whenFree } from './busy.ts';
import { connect } from './connect.ts';
import { migrate } from './migrate.ts';
import { createStatements, type Statements } from './statements.ts';
import { watchCommits } from './watch.ts';

const begin = { sql: 'begin', args: {} };
const beginWriting = { sql: 'begin immediate', args: {} };
const commit = { sql: 'commit', args: {} };
const record = `insert into journal (at, actor, subject, kind, data) values (:at, :actor, :subject, :kind, :data)`;
const head = { sql: 'select coalesce(max(seq), 0) as seq from journal', args: {} };
const after = 'select seq, at, actor, subject, kind, data from journal where seq > :seq order by seq limit :limit';

export async function openEngine(file: string): Promise<Engine> {
  const db = await connect(file);
  const statements = createStatements(db);
  const hints = new Set<() => void>();
  const others = db.prepare('pragma data_version');
  let own = 0;

  return {
    location: file,
    migrate: (migrations) => whenFree(file, () => migrate(db, file, migrations)),
    read: (queries) => whenFree(file, () => readSnapshot(db, statements, queries)),
    async commit(writes, journal) {
      const outcome = await whenFree(file, () => commitBatch(db, statements, writes, journal));
      if (outcome.done) own++;
      // The connection's own commits do not change its data_version, so nobody else would tell.
      // Afterwards: whoever committed gets its answer before the followers read.
      if (outcome.done && hints.size > 0) setImmediate(() => hints.forEach((hint) => hint()));
      return outcome;
    },
    after: (seq, limit) =>
      whenFree(file, () => statements.all({ sql: after, args: { seq, limit } }) as unknown as Recorded[]),
    head: () => whenFree(file, () => Number(statements.all(head)[0]?.['seq'])),
    version() {
      try {
        return `${own}:${String(others.get().data_version)}`;
      } catch {
        return undefined; // Busy: whoever asks reads instead.
      }
    },
    watch(hint) {
      hints.add(hint);
      const stop = watchCommits(db, file, hint);
      return () => {
        hints.delete(hint);
        stop();
      };
    },
    async close() {
      db.close();
    },
  };
}

function readSnapshot(
  db: DatabaseSyncInstance,
  statements: Statements,
  queries: readonly Query[],
): readonly (readonly Row[])[] {
  const [only] = queries;
  if (only === undefined) return [];
  if (queries.length === 1) return [statements.all(only)];
  return inTransaction(db, () => {
    statements.run(begin);
    const results = queries.map((query) => statements.all(query));
    statements.run(commit);
    return results;
  });
}

function commitBatch(
  db: DatabaseSyncInstance,
  statements: Statements,
  writes: readonly Write[],
  journal: readonly Entry[],
): Outcome {
  return inTransaction(db, () => {
    statements.run(beginWriting);
    const conflict = writes.findIndex((write) => !succeeds(statements, write));
    if (conflict >= 0) return { done: false, conflict };
    for (const { at, actor, subject, kind, data } of journal)
      statements.run({ sql: record, args: { at, actor, subject, kind, data } });
    const seq = Number(statements.all(head)[0]?.['seq']);
    statements.run(commit);
    return { done: true, seq };
  });
}

function succeeds(statements: Statements, write: Write): boolean {
  try {
    const touched = statements.run(write);
    return write.rows === undefined || touched === write.rows;
  } catch (error) {
    if (isDuplicate(error)) return false;
    throw error;
  }
}

/** Whatever has not committed itself by the end is undone. */
function inTransaction<T>(db: DatabaseSyncInstance, work: () => T): T {
  try {
    return work();
  } finally {
    if (db.isTransaction) db.exec('rollback');
  }
}
