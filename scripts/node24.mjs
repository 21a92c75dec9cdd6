import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { getNode24 } from './get-node24.mjs';

/** What these show hangs on our own texts, tables and files, not on the version of Node. Name them to run them there too. */
const sameEverywhere = [
  'cli',
  'demo',
  'doctor',
  'faithful',
  'fleet-model',
  'gate-guards',
  'gate-language',
  'init-test',
  'locate',
  'narrow',
  'newcomer',
  'papers',
  'phase-source',
  'processes',
  'security-page',
  'status',
  'uninstall',
  'words',
  'work-details',
  'work-model',
  'work-rules',
  'work-runner',
  'work-store',
];

// The newest Node that is supported: it runs vitest, and the product's processes that the tests start.
const node = getNode24();
const named = process.argv.slice(2);
const chosen =
  named.length > 0 ? named : ['test/e2e', ...sameEverywhere.map((name) => `--exclude=test/e2e/${name}.test.ts`)];
const { status } = spawnSync(node, [path.join(import.meta.dirname, 'test.mjs'), ...chosen], {
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
