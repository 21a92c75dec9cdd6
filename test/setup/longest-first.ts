import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Long by what they start, not by their text: whoever begins with one of them at the end waits for it alone. */
const long = /\/(?:hostile\/sandbox|e2e\/(?:newcomer|work-runner|narrow|locate|papers|package))\.test\.ts$/;

/** Vitest begins with the largest files, as long as it knows nothing of their times. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    // oxlint-disable-next-line unicorn/no-array-sort -- of the base class, no array’s
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => long.test(moduleId);
    return [...sorted.filter(isLong), ...sorted.filter((one) => !isLong(one))];
  }
}
