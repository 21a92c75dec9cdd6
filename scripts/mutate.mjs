// Mutation tests: changes one place of the sources at a time and runs the tests that should fail because of it.
//   npm run mutate                    all of scripts/mutants
//   npm run mutate -- gate work       the mutants of some modules
//   npm run mutate -- "the slice"     those whose description contains the words
// Not part of CI: it takes about ten seconds per mutant.
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const root = path.join(import.meta.dirname, '..');
const left = new Set(['node_modules', '.git', 'dist']);
const wanted = process.argv.slice(2);
/** The results of tests without any mutant. */
const known = new Map();

const mutants = await readMutants();
const tree = copyTree();
try {
  report(mutants.map(attempt));
} finally {
  rmSync(tree, { recursive: true, force: true });
}

async function readMutants() {
  const files = readdirSync(path.join(root, 'scripts/mutants'));
  const lists = await Promise.all(
    files.map(async (file) => {
      const module = path.basename(file, '.mjs');
      const { default: list } = await import(`./mutants/${file}`);
      return list.map((mutant) => ({ module, ...mutant }));
    }),
  );
  const chosen = lists
    .flat()
    .filter(({ module, what }) => wanted.length === 0 || wanted.some((word) => word === module || what.includes(word)));
  if (chosen.length === 0) throw new Error(`no mutant for ${wanted.join(' ')}`);
  return chosen;
}

/** Copies the tree, so that the working tree is never changed. */
function copyTree() {
  const folder = mkdtempSync(path.join(tmpdir(), 'sekisho-mutate-'));
  cpSync(root, folder, { recursive: true, filter: (from) => !left.has(path.relative(root, from).split(path.sep)[0]) });
  symlinkSync(path.join(root, 'node_modules'), path.join(folder, 'node_modules'));
  return folder;
}

/** Tests one mutant. It is killed if a test fails. If its text is gone, or its tests fail without it, it proves nothing. */
function attempt(mutant) {
  const outcome = judge(mutant);
  console.log(`${outcome.verdict.padEnd(8)} ${mutant.module}: ${mutant.what}${outcome.why ? ` (${outcome.why})` : ''}`);
  return outcome.verdict;
}

function judge(mutant) {
  const places = findPlaces(mutant);
  if (places.length !== 1) return error(`its text is found ${places.length} times in src/${mutant.module}`);
  const [{ file, text }] = places;
  const before = passes(mutant);
  if (before !== undefined) return error(`without it, ${before}`);
  writeFileSync(
    file,
    text.replace(mutant.find, () => mutant.replace),
  );
  try {
    if (!build()) return error('it does not build');
    return { verdict: test(mutant).status === 0 ? 'SURVIVED' : 'killed' };
  } finally {
    writeFileSync(file, text);
  }
}

function error(why) {
  return { verdict: 'ERROR', why };
}

/** Finds the text anywhere in its module, because files move. */
function findPlaces({ module, find }) {
  const folder = path.join(tree, 'src', module);
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((one) => one.isFile())
    .map((one) => path.join(one.parentPath, one.name))
    .map((file) => ({ file, text: readFileSync(file, 'utf8') }))
    .flatMap((place) => Array.from({ length: place.text.split(find).length - 1 }, () => place));
}

/** The problem of a mutant's tests without the mutant, if there is one. Each set of tests runs once. */
function passes(mutant) {
  const key = JSON.stringify([mutant.tests, mutant.only, mutant.databases]);
  if (!known.has(key)) {
    if (!build()) throw new Error('the sources do not build');
    const { status, passed } = test(mutant);
    known.set(key, status !== 0 ? 'its tests fail too' : passed === 0 ? 'no test runs' : undefined);
  }
  return known.get(key);
}

function build() {
  return run(['scripts/build.mjs']).status === 0;
}

function test({ tests, only, databases = 'sqlite' }) {
  const output = path.join(tree, 'mutate-report.json');
  const filter = only === undefined ? [] : ['-t', only];
  const { status } = run(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--bail=1',
      '--reporter=json',
      `--outputFile=${output}`,
      ...filter,
      ...tests,
    ],
    { SEKISHO_TEST_DATABASES: databases },
  );
  if (!existsSync(output)) throw new Error('vitest did not start');
  const { numPassedTests: passed } = JSON.parse(readFileSync(output, 'utf8'));
  rmSync(output);
  return { status, passed };
}

function run(args, env = {}) {
  return spawnSync(process.execPath, args, { cwd: tree, stdio: 'ignore', env: { ...process.env, ...env } });
}

function report(verdicts) {
  const count = (verdict) => verdicts.filter((one) => one === verdict).length;
  const tried = count('killed') + count('SURVIVED');
  const score = tried === 0 ? 0 : Math.round((100 * count('killed')) / tried);
  console.log(`\n${count('killed')} of ${tried} killed (${score} %), ${count('ERROR')} errors`);
  process.exitCode = count('SURVIVED') + count('ERROR') === 0 ? 0 : 1;
}
