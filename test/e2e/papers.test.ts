import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { type Step, scriptOf, stepsOf, unseen } from './paper.ts';
import { atTerminal } from './terminal.ts';
import { type World, inOneWorld } from './world.ts';

/** A page starts up to fifty processes, one after the other. */
vi.setConfig({ testTimeout: 180_000 });

const root = join(import.meta.dirname, '../..');
const listed = (folder: string) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`);
/** All but the reference, which is written from the operations themselves. */
const papers = ['README.md', 'README.ja.md', ...listed('docs'), ...listed('docs/ja')].map((paper) => ({
  paper,
  steps: stepsOf(readFileSync(join(root, paper), 'utf8')),
}));

/** A translation that has the same commands, and shows the same, is carried out with its original. */
const deedsOf = (steps: readonly Step[]): string =>
  JSON.stringify(
    steps
      .filter((step) => step.notRun === undefined)
      .map(({ script, shown }) => [script.replaceAll(/\s+#.*/g, ''), shown]),
  );

/** The project that every page speaks of: small, in git, with a test. */
const app: Readonly<Record<string, string>> = {
  'package.json': '{ "name": "app", "private": true, "type": "module", "scripts": { "test": "node --test" } }\n',
  'greet.js': 'export const greet = (name) => `Hello ${name}`;\n',
  'greet.test.js': `import assert from 'node:assert/strict';
import test from 'node:test';
import { greet } from './greet.js';

test('greets', () => assert.match(greet('Ann'), /Hello/));
`,
};

/** A reader at a terminal: the home folder of a newcomer, with the project in `~/code/app`. */
function carryOut(world: World, paper: string, script: string) {
  const home = join(world.env['HOME'] ?? '', 'reader');
  const project = join(home, 'code/app');
  mkdirSync(project, { recursive: true });
  for (const [name, text] of Object.entries(app)) writeFileSync(join(project, name), text);
  const file = join(home, 'page.sh');
  writeFileSync(file, script);
  const { SEKISHO_DB: _db, XDG_DATA_HOME: _data, ...env } = world.env;
  const who = { NAME: 'Ann', EMAIL: 'ann@example.com' };
  const names = Object.entries(who).flatMap(([key, value]) =>
    [`GIT_AUTHOR_${key}`, `GIT_COMMITTER_${key}`].map((name) => [name, value]),
  );
  return atTerminal({ project: paper.startsWith('README') ? root : project, env }, [], {
    yes: true,
    env: {
      ...Object.fromEntries(names),
      HOME: home,
      PATH: `${join(root, 'bin')}:${env['PATH'] ?? ''}`,
      LANG: paper.includes('ja') ? 'ja_JP.UTF-8' : 'C.UTF-8',
      NO_COLOR: '1',
    },
    shell: () => `(cd '${project}' && git init -qb main && git add . && git commit -qm 'A greeting') && bash '${file}'`,
  });
}

describe('the papers', () => {
  const toRun = papers.filter(
    ({ steps }, index) =>
      steps.some((step) => step.notRun === undefined) &&
      !papers.slice(0, index).some((earlier) => deedsOf(earlier.steps) === deedsOf(steps)),
  );

  inOneWorld('stdio', 'sqlite', (inWorld) => {
    inWorld.for(toRun)('$paper can be carried out from top to bottom', async ({ paper, steps }, { world }) => {
      const screen = await carryOut(world, paper, scriptOf(steps));
      expect(screen.code, screen.text).toBe(0);
      expect(unseen(steps, screen.text), screen.text).toEqual([]);
    });
  });

  test('a block that nobody carries out says why', () => {
    const reasons = papers.flatMap(({ steps }) => steps.flatMap((step) => step.notRun ?? []));
    expect(reasons.length).toBeGreaterThan(0);
    expect(reasons.filter((reason) => reason.split(' ').length < 4)).toEqual([]);
    expect(toRun.length).toBeGreaterThan(8);
  });

  test('a page that says what is not so is found out', () => {
    const page =
      '```sh\necho one\n```\n\n```text\none\n```\n\n```sh\nfalse # exit code 1\n```\n\n```text\ntwo …\n```\n';
    const steps = stepsOf(page);
    expect(steps).toHaveLength(2);
    expect(unseen(steps, '=== step 0 ===\none\n=== step 1 ===\nthree\n')).toEqual(['line 9: two …']);
    expect(unseen(steps, '=== step 0 ===\none\n=== step 1 ===\ntwo and three\n')).toEqual([]);
  });
});
