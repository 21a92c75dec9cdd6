import { defineConfig } from 'vitest/config';

/** The pictures of the docs, taken of a real daemon: `npm run docs:screens`. */
export default defineConfig({
  test: {
    include: ['test/browser/screens/screens.ts'],
    globalSetup: ['test/setup/global.ts'],
    testTimeout: 600_000,
    hookTimeout: 60_000,
  },
});
