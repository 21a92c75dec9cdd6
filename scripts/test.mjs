import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getBrowser } from './get-browser.mjs';
import { getBubblewrap } from './get-bubblewrap.mjs';
import { getPackage } from './get-package.mjs';

const root = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'sekisho-test-'));
const report = path.join(folder, 'report.json');

const status = run('scripts/build.mjs') || prepare() || run('node_modules/vitest/vitest.mjs', ...vitestArguments());
console.log(summary());
rmSync(folder, { recursive: true });
process.exitCode = status;

/** Downloads missing tools once, before several test files need them at the same time. */
function prepare() {
  const missing = getBubblewrap();
  if (missing !== undefined) process.env.SEKISHO_NO_BUBBLEWRAP = missing;
  if (process.argv.length > 2) return 0;
  try {
    getBrowser();
    getPackage('@xterm/headless', '5.5.0');
  } catch {
    // The test that needs it reports the problem.
  }
  return 0;
}

function run(script, ...args) {
  return spawnSync(process.execPath, [script, ...args], { cwd: root, stdio: 'inherit' }).status ?? 1;
}

function vitestArguments() {
  return ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...process.argv.slice(2)];
}

function summary() {
  const { passed, failed, skipped } = counts();
  return `\n${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

function counts() {
  try {
    const result = JSON.parse(readFileSync(report, 'utf8'));
    // A file that cannot be loaded has no tests, but must count as a failure.
    const broken = result.testResults.filter(
      (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
    );
    return {
      passed: result.numPassedTests,
      failed: result.numFailedTests + broken.length,
      skipped: result.numPendingTests + result.numTodoTests,
    };
  } catch {
    // Build or vitest died before there was a report.
    return { passed: 0, failed: 1, skipped: 0 };
  }
}
