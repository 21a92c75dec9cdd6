import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const folder = mkdtempSync(path.join(tmpdir(), 'sekisho-test-'));
const report = path.join(folder, 'report.json');

const status = run('scripts/build.mjs') || run('node_modules/vitest/vitest.mjs', ...vitestArguments());
console.log(summary());
rmSync(folder, { recursive: true });
process.exitCode = status;

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
    // A file that cannot even be loaded has no tests, and must not look like none failed.
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
