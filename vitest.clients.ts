import { defineConfig } from 'vitest/config';

/** Real agent CLIs with a scripted model: large downloads, so not part of `npm test`. */
export default defineConfig({
  test: {
    include: ['test/clients/**/*.test.ts'],
    globalSetup: ['test/setup/global.ts'],
    testTimeout: 240_000,
    hookTimeout: 120_000,
    fileParallelism: false,
  },
});
