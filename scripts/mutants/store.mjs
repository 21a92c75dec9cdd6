const sqlite = ['test/store/sqlite.test.ts'];
const postgres = ['test/store/postgres.test.ts'];

export default [
  {
    what: 'a write that touched another number of rows (SQLite)',
    find: 'return write.rows === undefined || touched === write.rows;',
    replace: 'return true;',
    tests: sqlite,
    only: 'a store on SQLite',
  },
  {
    what: 'a row that is there already (SQLite)',
    find: 'if (isDuplicate(error)) return false;',
    replace: '',
    tests: sqlite,
    only: 'a store on SQLite',
  },
  {
    what: 'a conflict undoes the whole batch (SQLite)',
    find: 'if (conflict >= 0) return { done: false, conflict };',
    replace: 'if (conflict > 0) return { done: false, conflict };',
    tests: sqlite,
    only: 'a store on SQLite',
  },
  {
    what: 'waiting for a lock',
    find: 'if (primary !== 0) return primary === SQLITE_BUSY || primary === SQLITE_PROTOCOL;',
    replace: 'if (primary !== 0) return primary === SQLITE_PROTOCOL;',
    tests: sqlite,
    only: 'that is locked is waited for',
  },
  {
    what: 'the mode of the file',
    find: "closeSync(openSync(file, 'a', 0o600));",
    replace: "closeSync(openSync(file, 'a', 0o644));",
    tests: sqlite,
    only: 'readable by its owner only',
  },
  {
    what: 'durability',
    find: 'pragma synchronous = full;',
    replace: 'pragma synchronous = normal;',
    tests: sqlite,
    only: 'is durable',
  },
  {
    what: 'where a follower is',
    find: 'last = entry.seq;',
    replace: 'last = Math.min(entry.seq, seq + 1);',
    tests: sqlite,
    only: 'follows what was there',
  },
  {
    what: 'a superfluous argument',
    find: 'if (given.length !== distinct) {',
    replace: 'if (given.length < distinct) {',
    tests: sqlite,
    only: 'a store on SQLite',
  },
  {
    what: 'a row that is there already (PostgreSQL)',
    find: 'if (write && (codeOf(failure.reason) === MISSED || isDuplicate(failure.reason)))',
    replace: 'if (write && codeOf(failure.reason) === MISSED)',
    tests: postgres,
    only: 'a store on PostgreSQL',
    databases: 'postgres',
  },
];
