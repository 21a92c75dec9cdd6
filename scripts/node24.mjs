import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { getNode24 } from './get-node24.mjs';

// The newest Node that is supported: it runs vitest, and the product's processes that the tests start.
const node = getNode24();
const { status } = spawnSync(node, [path.join(import.meta.dirname, 'test.mjs'), 'test/e2e', ...process.argv.slice(2)], {
  stdio: 'inherit',
  env: {
    ...process.env,
    SEKISHO_TEST_NODE: node,
    // PostgreSQL is reached by the same JavaScript on either Node; the native module is what differs.
    SEKISHO_TEST_DATABASES: 'sqlite',
    PATH: [path.dirname(node), process.env.PATH].join(path.delimiter),
  },
});
process.exitCode = status ?? 1;
