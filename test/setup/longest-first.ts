import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The most expensive files, longest first: by processor time, which their size does not tell. A long file that starts
 * last leaves the other workers idle until it ends.
 */
const longest = [
  'e2e/newcomer',
  'e2e/papers',
  'e2e/package',
  'e2e/narrow',
  'hostile/people',
  'e2e/hook',
  'e2e/cli',
  'e2e/work-runner',
  'e2e/locate',
  'hostile/binding',
  'hostile/trust',
  'store/postgres',
  'e2e/gate',
  'e2e/phase-source',
  'e2e/run',
  'hostile/sandbox',
  'e2e/upstream',
  'e2e/gate-guards',
  'e2e/work',
  'store/sqlite',
  'gate/evidence',
  'store/backup',
].map((name) => `/test/${name}.test.ts`);

/** Vitest starts the largest files first, unless it has measured them in an earlier run. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- of the base class, no array’s
    const sorted = await super.sort(files);
    const rank = ({ moduleId }: TestSpecification) => {
      const found = longest.findIndex((path) => moduleId.endsWith(path));
      return found === -1 ? longest.length : found;
    };
    return sorted.toSorted((a, b) => rank(a) - rank(b));
  }
}
