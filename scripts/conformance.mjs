import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { runInspector } from './conformance/inspector.mjs';
import { runSuite } from './conformance/suite.mjs';
import { getNode24 } from './get-node24.mjs';

const build = path.join(import.meta.dirname, 'build.mjs');
if (spawnSync(process.execPath, [build], { stdio: 'inherit' }).status !== 0) process.exit(1);

const groups = [...(await attempt('suite', runSuite)), ...(await attempt('inspector', runInspector))];
for (const { name, passed, failures } of groups) {
  console.log(`${failures.length === 0 ? 'ok    ' : 'FAILED'} ${name}: ${passed} passed, ${failures.length} failed`);
  for (const failure of failures) console.log(`       ${failure}`);
}
const passed = groups.reduce((sum, group) => sum + group.passed, 0);
const failed = groups.reduce((sum, group) => sum + group.failures.length, 0);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);

// Both tools need a newer Node than we do; the product runs on the Node that runs this script.
async function attempt(name, work) {
  try {
    return await work(getNode24());
  } catch (error) {
    return [{ name, passed: 0, failures: [error.stack] }];
  }
}
