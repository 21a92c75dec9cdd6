import { defineConfig, mergeConfig } from 'vitest/config';
import { longTests, slowUnitTests } from './test/setup/tiers.ts';
import { shared } from './vitest.shared.ts';

const folders =
  'app,base,config,dashboard,fleet,gate,graph,hook,kernel,library,machine,phase,protocol,store,surface,upstream,work';

/** Unit and contract tests on SQLite: the feedback while one writes. */
export default mergeConfig(
  shared,
  defineConfig({
    test: {
      include: [`test/{${folders}}/**/*.test.ts`],
      exclude: [...longTests, ...slowUnitTests],
      // Workers keep the modules that they have loaded; to load them again for each file costs a third of the time.
      isolate: false,
      env: { SEKISHO_TEST_DATABASES: 'sqlite' },
    },
  }),
);
