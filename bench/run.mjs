import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { measurements } from './measurements.mjs';
import { lazyPostgres } from './postgres.mjs';
import { buildProduct } from './product.mjs';
import { judge, machine, renderTable } from './report.mjs';

const { values } = parseArgs({
  options: {
    /** Names of measurements, separated by commas. */
    only: { type: 'string' },
    quick: { type: 'boolean', default: false },
    /** The checkout whose sources are measured, with this checkout's benchmark. */
    root: { type: 'string', default: path.join(import.meta.dirname, '..') },
  },
});
const chosen = choose(values.only);
const started = performance.now();
const root = path.resolve(values.root);
const product = await buildProduct(root);
const postgres = lazyPostgres();
const rows = [];
try {
  for (const measurement of chosen) {
    const begun = performance.now();
    process.stderr.write(`${measurement.name} … `);
    const measured = await measurement.run({ product, postgres, quick: values.quick });
    rows.push(...measured.map((row) => ({ measurement: measurement.name, ...judge(row) })));
    process.stderr.write(`${seconds(begun)} s\n`);
  }
} finally {
  await postgres.close();
}

const failed = rows.filter(({ passed }) => passed === false);
const noisy = rows.filter((row) => row.noisy);
console.log(`\n${renderTable(rows)}\n`);
if (noisy.length > 0)
  console.log(`${noisy.length} rows had a noisy floor (p90 above 1.5 × p50): something else was using this machine.`);
console.log(
  `${failed.length === 0 ? 'every bar was met' : `missed: ${failed.map(({ what }) => what).join('; ')}`}, ${seconds(started)} s in all`,
);
const results = path.join(import.meta.dirname, 'results.json');
writeFileSync(results, `${JSON.stringify({ ...about(), rows }, null, 2)}\n`);
process.exitCode = failed.length === 0 ? 0 : 1;

function choose(only) {
  if (only === undefined) return measurements;
  const names = only.split(',');
  const unknown = names.filter((name) => !measurements.some((one) => one.name === name));
  if (unknown.length > 0) {
    const known = measurements.map(({ name }) => name).join(', ');
    console.error(`There is no measurement ${unknown.join(', ')}; there are ${known}.`);
    process.exit(2);
  }
  return measurements.filter(({ name }) => names.includes(name));
}

function about() {
  const { version, dependencies, devDependencies } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const versions = { ...dependencies, ...devDependencies };
  const used = ['@photostructure/sqlite', '@modelcontextprotocol/server', 'pg', 'zod', 'esbuild'];
  return {
    at: new Date().toISOString(),
    root,
    quick: values.quick,
    seconds: Number(seconds(started)),
    machine: machine(),
    versions: { sekisho: version, ...Object.fromEntries(used.map((name) => [name, versions[name]])) },
  };
}

function seconds(since) {
  return ((performance.now() - since) / 1000).toFixed(1);
}
