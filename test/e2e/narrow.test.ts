import { copyFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test as plain, vi } from 'vitest';
import { commands } from '../../src/command/commands.ts';
import { flawsOf, narrow } from '../surface/flaws.ts';
import { everyCommand, everyMistake } from './every-command.ts';
import { atTerminal } from './terminal.ts';
import { type World, inOneWorld } from './world.ts';

/** Eighty commands, one after the other. */
vi.setConfig({ testTimeout: 300_000 });

const seen = Object.values(everyCommand).flatMap((one) => ('lines' in one ? [one.lines] : []));
/** The texts of every mistake are looked at in both languages without starting anything. */
const linesIn = { en: [...seen.flat(), ...everyMistake], ja: seen.flatMap((one) => one.slice(0, 1)) } as const;
const mark = (index: number) => `=== line ${index} ===`;

/** A project with something in it to be shown: a process, a file, tasks. */
async function prepare(world: World): Promise<void> {
  const file = (name: string, text: string) => writeFileSync(join(world.project, name), text);
  const processes = join(import.meta.dirname, '../fixtures/processes');
  copyFileSync(join(processes, 'checkpoint.yaml'), join(world.project, '.sekisho/processes/checkpoint.yaml'));
  file('broken.yaml', 'id: broken\nstates: [{ name: a }]\ntransitions: nothing\n');
  file('plan.md', `${'First this, then that. まずこれ、次にあれ。'.repeat(6)}\n`);
  const { json: project } = await world.cli([
    'admin',
    'create-project',
    '--name',
    'A project with a long name',
    '--json',
  ]);
  for (const title of [
    'Write the greeting in Japanese, too, and see that it fits',
    '日本語のあいさつを書いて、幅に収まることを確かめる',
  ])
    await world.cli([
      'admin',
      'create-task',
      '--project-id',
      String(project['project_id']),
      '--title',
      title,
      '--json',
    ]);
}

describe('every command at a terminal of 60 columns', () => {
  plain('is in the table, and nothing else is', () => {
    expect(Object.keys(everyCommand).toSorted()).toEqual(commands.map((one) => one.name).toSorted());
  });

  inOneWorld('stdio', 'sqlite', (test) => {
    test.for(['en', 'ja'] as const)('fits, and says nothing that is none, in %s', async (lang, { world }) => {
      const lines = linesIn[lang];
      await prepare(world);
      const script = lines.map((line, index) => `echo '${mark(index)}'\n${line}`).join('\n');
      const file = join(world.env['HOME'] ?? '', 'lines.sh');
      writeFileSync(file, `stty cols ${narrow} rows 40\n${script}\necho '${mark(lines.length)}'\n`);
      const screen = await atTerminal(world, [], {
        yes: true,
        env: { NO_COLOR: '1', SEKISHO_LANG: lang },
        shell: (own) => `S="${own.replaceAll("'", '')}" sh '${file}'`,
      });
      const flaws = lines.flatMap((line, index) => {
        const shown = screen.text.split(`${mark(index)}\n`)[1]?.split(mark(index + 1))[0];
        if (shown === undefined || shown.trim() === '') return [`${line}: nothing was shown`];
        return flawsOf(shown).map((flaw) => `${line}: ${flaw}`);
      });
      expect(flaws, screen.text).toEqual([]);
    });
  });
});
