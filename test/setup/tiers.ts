/** Long campaigns: they repeat, kill, measure memory, or carry out whole pages. `npm run test:long` runs them. */
export const longTests: readonly string[] = [
  'test/e2e/backup.test.ts',
  'test/e2e/durable.test.ts',
  'test/e2e/fleet-crowd.test.ts',
  'test/e2e/fleet-kill.test.ts',
  'test/e2e/fleet-model.test.ts',
  'test/e2e/fuzz.test.ts',
  'test/e2e/memory.test.ts',
  'test/e2e/narrow.test.ts',
  'test/e2e/newcomer.test.ts',
  'test/e2e/package.test.ts',
  'test/e2e/papers.test.ts',
  'test/e2e/work-model.test.ts',
  'test/e2e/work-soak.test.ts',
  'test/gate/property.test.ts',
  'test/hostile/program.test.ts',
  'test/store/migration.test.ts',
];

/** Tests of single modules that start many processes or need PostgreSQL: too slow for `npm run test:quick`. */
export const slowUnitTests: readonly string[] = [
  'test/fleet/worktree.test.ts',
  'test/gate/difference.test.ts',
  'test/gate/worktree.test.ts',
  'test/hook/bundle.test.ts',
  'test/phase/checkpoint.test.ts',
  'test/store/postgres*.test.ts',
  'test/surface/help.test.ts',
  'test/surface/narrow.test.ts',
  'test/work/abort.test.ts',
  'test/work/reservation.test.ts',
];
