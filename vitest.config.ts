import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['test/clients/**'],
    globalSetup: ['test/setup/global.ts'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Much of a test is waiting for processes: a third one uses what two leave idle on two cores.
    maxWorkers: 3,
  },
});
