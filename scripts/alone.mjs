// Checks that tests can run alone: picks some at random and runs each by its file and its full name.
//   npm run test:alone                 twenty of them
//   npm run test:alone -- 50           fifty
//   npm run test:alone -- 10 work      ten of the files whose path contains "work"
// Not part of CI: it takes some seconds per test.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const [size = '20', part = ''] = process.argv.slice(2);

const folder = mkdtempSync(path.join(tmpdir(), 'sekisho-alone-'));
try {
  const tests = list().filter(({ file }) => path.relative(root, file).includes(part));
  const sample = shuffled(tests).slice(0, Number(size));
  const failed = sample.filter((test) => !passes(test));
  console.log(`\n${sample.length - failed.length} of ${sample.length} pass alone (${tests.length} there)`);
  for (const { name, file } of failed) console.log(`FAILED ${path.relative(root, file)}: ${name}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function list() {
  const output = path.join(folder, 'list.json');
  vitest(['list', `--json=${output}`]);
  return JSON.parse(readFileSync(output, 'utf8'));
}

function passes({ name, file }) {
  const output = path.join(folder, 'report.json');
  // Vitest matches the names of the suites and the test, joined by spaces.
  const pattern = `^${name.split(' > ').map(escaped).join(' ')}$`;
  const started = performance.now();
  const { status } = vitest(['run', file, '-t', pattern, '--reporter=json', `--outputFile=${output}`]);
  const { numPassedTests: passed } = JSON.parse(readFileSync(output, 'utf8'));
  const ok = status === 0 && passed > 0;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(
    `${ok ? 'ok    ' : passed === 0 && status === 0 ? 'ABSENT' : 'FAILED'} ${path.relative(root, file)} ${name} (${seconds} s)`,
  );
  return ok;
}

function escaped(text) {
  return text.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`);
}

function shuffled(items) {
  return items
    .map((item) => ({ item, at: Math.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ item }) => item);
}

function vitest(args) {
  return spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', ...args], { cwd: root, stdio: 'ignore' });
}
