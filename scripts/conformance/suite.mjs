import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { getPackage } from '../get-package.mjs';
import { startProxy } from '../../test/conformance/proxy.mjs';
import { run, startFixtures } from './processes.mjs';

/** The number of scenarios that the pinned suite has for a server. Fewer would mean that it skipped some. */
const revisions = [
  { revision: '2025-11-25', scenarios: 33 },
  { revision: '2026-07-28', scenarios: 40 },
];

/** The official conformance suite, in both protocol eras. */
export async function runSuite(node) {
  const suite = path.join(getPackage('@modelcontextprotocol/conformance', '0.2.0-alpha.12'), 'dist', 'index.js');
  const daemon = await startFixtures();
  const proxy = await startProxy(new URL(daemon.url), daemon.token);
  const groups = [];
  for (const { revision, scenarios } of revisions) {
    const results = mkdtempSync(path.join(tmpdir(), 'sekisho-conformance-results-'));
    const flags = ['--url', proxy.url, '--suite', 'all', '--spec-version', revision, '-o', results];
    const { code, stdout, stderr } = await run(node, [suite, 'server', ...flags]);
    const ran = readdirSync(results).map((name) => readScenario(results, name));
    rmSync(results, { recursive: true });
    groups.push(...grouped(revision, ran));
    if (code !== 0) groups.push(problem(revision, `the suite ended with ${code}:\n${stdout.slice(-2000)}${stderr}`));
    if (ran.length !== scenarios) groups.push(problem(revision, `${ran.length} of ${scenarios} scenarios ran`));
  }
  proxy.close();
  await daemon.stop();
  return groups;
}

function readScenario(results, name) {
  const checks = JSON.parse(readFileSync(path.join(results, name, 'checks.json'), 'utf8'));
  const scenario = name.replace(/^server-/, '').replace(/-\d{4}-\d\d-\d\dT.*$/, '');
  return {
    scenario,
    passed: checks.filter(({ status }) => status === 'SUCCESS').length,
    // A warning means that a SHOULD is not met. We count it as a failure.
    failures: checks
      .filter(({ status }) => status === 'FAILURE' || status === 'WARNING')
      .map(({ id, errorMessage }) => `${scenario}: ${id}: ${errorMessage}`),
  };
}

/** Groups scenarios by the first word of their names: tools, resources, prompts … */
function grouped(revision, ran) {
  const names = [...new Set(ran.map(({ scenario }) => groupOf(scenario)))].toSorted();
  return names.map((name) => {
    const members = ran.filter(({ scenario }) => groupOf(scenario) === name);
    return {
      name: `${revision} ${name} (${members.length} scenario${members.length === 1 ? '' : 's'})`,
      passed: members.reduce((sum, { passed }) => sum + passed, 0),
      failures: members.flatMap(({ failures }) => failures),
    };
  });
}

function groupOf(scenario) {
  return scenario.startsWith('input-required-result') ? 'input-required-result' : scenario.split('-')[0];
}

function problem(revision, reason) {
  return { name: `${revision} suite`, passed: 0, failures: [reason] };
}
