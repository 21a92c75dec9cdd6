import { defineConfig, mergeConfig } from 'vitest/config';
import { longTests } from './test/setup/tiers.ts';
import { shared } from './vitest.shared.ts';

/** Long campaigns, part of `.ci/run`. */
export default mergeConfig(shared, defineConfig({ test: { include: [...longTests] } }));
