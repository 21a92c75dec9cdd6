import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { type Home, configure } from './cli.ts';
import { drivers } from './driver.ts';
import type { Turn } from './model/model.ts';
import { type Scene, makeScene } from './scene.ts';

const configuration = `phases:
  source: .sekisho/prompts
  list:
    - { id: requirements, required_files: [docs/requirements.md] }
    - { id: build, required_files: [out/greeting.txt] }
`;

let scene: Scene | undefined;

afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

async function prepare(script: (home: Home) => readonly Turn[]): Promise<Scene> {
  const made = (scene = await makeScene(drivers.claude, script));
  await configure(made.home, configuration);
  made.home.write(
    '.sekisho/prompts/requirements.md',
    '---\nversion: 5\ntitle: Requirements\n---\nFind out what {{project.name}} must do.\n',
  );
  made.home.write('.sekisho/prompts/build.md', 'Build it. Agreed before: {{results.requirements.summary}}\n');
  return made;
}

const tool = (name: string, input: object) => ({ calls: [{ name: `mcp__sekisho__${name}`, input }] });
const complete = (phase: string, summary: string) =>
  tool('transition_to_next_phase', { currentPhase: phase, result: { status: 'completed', summary } });

test('Claude Code walks two phases, and passes neither without the file that it requires', async () => {
  const write = (home: Home, file: string) => ({
    calls: [{ name: 'Write', input: { file_path: join(home.project, file), content: 'x\n' } }],
  });
  const {
    cli,
    drive,
    results: told,
  } = await prepare((home) => [
    tool('inject_phase_prompt', { phase: 'requirements' }),
    complete('requirements', 'too early'),
    write(home, 'docs/requirements.md'),
    complete('requirements', 'a greeting'),
    tool('inject_phase_prompt', { phase: 'build' }),
    complete('build', 'too early'),
    write(home, 'out/greeting.txt'),
    complete('build', 'greeted'),
    { text: 'All phases are done.' },
  ]);
  const outcome = await drive('Work through the phases.');
  const results = told();
  expect(results[0]).toContain('Find out what project must do.');
  expect(results[1]).toContain('requirements.required_files: file not found, or empty: docs/requirements.md');
  expect(results[3]).toContain('Transitioning to Phase build...');
  expect(results[4]).toContain('Agreed before: a greeting');
  expect(results[5]).toContain('GUARD_FAILED');
  expect(results[7]).toContain('Phase build completed. All phases finished!');
  expect(outcome.events.find((one) => one['type'] === 'result')).toMatchObject({ result: 'All phases are done.' });
  const status = await cli('phase', 'status');
  expect(status).toMatchObject({
    current_phase: null,
    phases: [
      { phase: 'requirements', status: 'completed' },
      { phase: 'build', status: 'completed' },
    ],
  });
  const { entries } = await cli('journal', 'list', '--subject', status['run_id']);
  const served = (entries as { kind: string; data: Record<string, any> }[]).filter(
    (one) => one.kind === 'phase.prompt_served',
  );
  expect(served.map(({ data }) => [data['phase'], data['version'], data['revision']])).toEqual([
    ['requirements', 5, 0],
    ['build', 1, 1],
  ]);
});

test('Claude Code shows a phase as a command', async () => {
  const { drive, model } = await prepare(() => [{ text: 'Understood.' }]);
  const outcome = await drive('/mcp__sekisho__requirements');
  expect(JSON.stringify(model.seen[0]?.body)).toContain('Find out what project must do.');
  const start = outcome.events.find((one) => one['subtype'] === 'init');
  expect(start?.['slash_commands']).toEqual(
    expect.arrayContaining(['mcp__sekisho__requirements', 'mcp__sekisho__build']),
  );
});
