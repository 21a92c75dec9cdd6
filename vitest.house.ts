import { defineConfig } from 'vitest/config';

/** The rules of the house alone, without a database: part of `npm run check`. */
export default defineConfig({
  test: { include: ['test/house.test.ts', 'test/boundaries.test.ts', 'test/language.test.ts'], testTimeout: 120_000 },
});
