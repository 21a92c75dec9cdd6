import { spawnSync } from 'node:child_process';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');

/** Every rule of this code base that a tool can check, apart from the tests. */
const checks = [
  { name: 'format', command: ['node_modules/.bin/oxfmt', '--check'] },
  { name: 'lint', command: ['node_modules/.bin/oxlint'] },
  { name: 'types', command: ['node_modules/.bin/tsc', '--noEmit'] },
  { name: 'types of the dashboard', command: ['node_modules/.bin/tsc', '--noEmit', '-p', 'dashboard'] },
  { name: 'boundaries', command: ['node_modules/.bin/depcruise', '--config', '.dependency-cruiser.cjs', 'src'] },
  // Rules that no other tool checks: which module owns SQL, no merged declarations, no casts for the SDK; and a test of each rule above.
  { name: 'house', command: ['node_modules/.bin/vitest', 'run', '--config', 'vitest.house.ts'] },
  { name: 'dead exports', command: ['node_modules/.bin/knip', '--no-config-hints'] },
  { name: 'generated docs', command: [process.execPath, 'scripts/docs.mjs', '--check'] },
];

const failed = checks.filter((check) => !passes(check));
console.log(failed.length === 0 ? 'all checks passed' : `failed: ${failed.map(({ name }) => name).join(', ')}`);
process.exitCode = failed.length === 0 ? 0 : 1;

function passes({ name, command: [program, ...args] }) {
  const started = performance.now();
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  });
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${status === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds} s)`);
  if (status !== 0) console.log([stdout, stderr, error?.message].filter(Boolean).join('\n').trimEnd());
  return status === 0;
}
