import { defineConfig, mergeConfig } from 'vitest/config';
import { longTests } from './test/setup/tiers.ts';
import { shared } from './vitest.shared.ts';

/** A test that somebody names runs whatever its tier. */
const isNamed = process.argv.some((one) => /^test\/.*\w/.test(one));

/** Part of `npm run check`. */
const houseRules = ['test/boundaries.test.ts', 'test/house.test.ts', 'test/language.test.ts'];

/** `npm test`. */
export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: ['test/**/*.test.ts'],
      exclude: ['test/clients/**', ...(isNamed ? [] : [...longTests, ...houseRules])],
    },
  }),
);
