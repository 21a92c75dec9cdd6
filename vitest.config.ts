import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['test/clients/**'],
    globalSetup: ['test/setup/postgres.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    maxWorkers: 2,
    // Real processes on a shared machine: in CI a test fails when it fails twice in a row.
    retry: process.env['CI'] === undefined ? 0 : 1,
  },
});
