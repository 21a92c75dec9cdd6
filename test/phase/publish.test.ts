import { describe, expect, onTestFinished, test } from 'vitest';
import { publish } from '../../src/phase/prompt/library.ts';
import { makeBench } from '../setup/context.ts';
import { databases } from '../setup/databases.ts';

describe.each(databases)('publishing on %s', (database) => {
  test('of forty who publish at once from four servers each gets a version of its own', async () => {
    const bench = await makeBench(database);
    onTestFinished(() => bench.close());
    const contexts = await Promise.all(Array.from({ length: 4 }, () => bench.context()));
    const made = await Promise.all(
      Array.from({ length: 40 }, (_, index) =>
        publish(contexts[index % contexts.length] ?? contexts[0]!, {
          name: 'phase0',
          content: `text ${index}`,
          title: undefined,
          note: undefined,
          labels: ['production'],
          expected: undefined,
        }),
      ),
    );
    const versions = made.map((one) => one.version).toSorted((a, b) => a - b);
    expect(versions).toEqual(Array.from({ length: 40 }, (_, index) => index + 1));
  });
});
