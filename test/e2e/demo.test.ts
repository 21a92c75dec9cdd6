import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import stringWidth from 'string-width';
import { describe, expect } from 'vitest';
import { until } from '../setup/until.ts';
import { atTerminal } from './terminal.ts';
import { type World, inOneWorld } from './world.ts';

const files = (folder: string) => readdirSync(folder, { recursive: true, encoding: 'utf8' }).toSorted();

/** Processes whose surroundings speak of that folder. */
function processesOf(folder: string): readonly string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`HOME=${folder}/sekisho-demo-`);
    } catch {
      return false; // It has ended, or is somebody else's.
    }
  });
}

function scratch(world: World): string {
  const folder = join(world.env['HOME'] ?? '', 'scratch');
  mkdirSync(folder);
  return folder;
}

function expectFit(text: string, width: number): void {
  for (const line of text.split('\n')) expect(stringWidth(line), line).toBeLessThanOrEqual(width);
  expect(text).not.toMatch(/undefined|\[object|[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-/);
}

describe('the demo', () => {
  inOneWorld('stdio', 'sqlite', (test) => {
    test('runs by itself to its end, and leaves nothing behind', async ({ world }) => {
      const folder = scratch(world);
      const before = files(world.env['HOME'] ?? '');
      const { code, stdout, stderr } = await world.cli(['demo'], { env: { TMPDIR: folder } });
      expect(stderr).toBe('');
      expect(code).toBe(0);
      expect(stdout).toContain('refused: The process does not permit Edit');
      expect(stdout).toContain('has_findings');
      expect(stdout).toContain('add(2, 3) is 6, not 5');
      expect(stdout).toContain('review → done');
      expect(stdout).toContain('none was changed');
      // The list of evidence is whole in a pipe.
      expectFit(stdout.replace(/^findings\.md  .*$/m, ''), 80);
      expect(files(world.env['HOME'] ?? '')).toEqual(before);
      if (process.platform === 'linux')
        await until(
          'no process of it',
          () => processesOf(folder),
          (found) => found.length === 0,
        );
    });

    test('at a terminal each step waits, and the approval is the person’s own; in Japanese, on 40 columns', async ({
      world,
    }) => {
      const folder = scratch(world);
      const steps = Array.from({ length: 8 }, (_, index) => [`${index + 1}/8 Enter`, ''] as const);
      const { code, text } = await atTerminal(world, [], {
        env: { TMPDIR: folder, NO_COLOR: '1' },
        shell: (own) => `stty cols 40; ${own} demo --lang ja`,
        answers: { ...Object.fromEntries(steps), '[y/N]': 'y' },
      });
      expect(code).toBe(0);
      expect(text).toContain('拒否: demo の状態「look」');
      expect(text).toContain('review → done');
      expect(text).toContain('改変はありません');
      expectFit(text, 40);
      expect(readdirSync(folder)).toEqual([]);
    });
  });
});
