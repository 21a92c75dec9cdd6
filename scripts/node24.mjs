import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { getNode24 } from './get-node24.mjs';

/** End-to-end tests whose outcome may depend on the version of Node: processes, streams, sockets, the native database. */
const dependent = [
  'code-cache',
  'daemon',
  'durable',
  'fleet',
  'fleet-hosts',
  'gate',
  'hook',
  'journal',
  'memory',
  'protocol',
  'protocol-http',
  'protocol-stdio',
  'run',
  'upstream',
  'upstream-http',
  'upstream-reconnect',
  'work',
];

// The newest Node that is supported: it runs vitest, and the product's processes that the tests start.
const node = getNode24();
const named = process.argv.slice(2);
const chosen = named.length > 0 ? named : dependent.map((name) => `test/e2e/${name}.test.ts`);
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
