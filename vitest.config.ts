import { defineConfig } from 'vitest/config';
import LongestFirst from './test/setup/longest-first.ts';

export default defineConfig({
  test: {
    environment: 'node',
    include: ['test/**/*.test.ts'],
    exclude: ['test/clients/**'],
    globalSetup: ['test/setup/global.ts'],
    // No promises about speed: they only end what would wait for ever, well after the slowest machine would have come there.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // Much of a test is waiting for processes: a third one uses what two leave idle on two cores.
    maxWorkers: 3,
    sequence: { sequencer: LongestFirst },
  },
});
