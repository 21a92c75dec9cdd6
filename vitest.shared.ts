import { defineConfig } from 'vitest/config';
import LongestFirst from './test/setup/longest-first.ts';

/** Settings that every tier of tests has. */
export const shared = defineConfig({
  test: {
    environment: 'node',
    globalSetup: ['test/setup/global.ts'],
    // Time-outs only end what would wait for ever; they are no promise about speed.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Much of a test is waiting for processes: a third worker uses what two leave idle on two cores.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});
